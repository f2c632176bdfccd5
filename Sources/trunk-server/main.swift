ServerCommand.main()
