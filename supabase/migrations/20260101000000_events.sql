-- Creates the log of all accounts' events. Rows never change. They are deleted with their account, or when the user
-- deletes everything.
--
-- An existing table public.events is left unchanged here: the next migration checks and converts it.

do $$
begin
  if to_regclass('public.events') is not null then
    return;
  end if;
  create table public.events (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users (id) on delete cascade,
    type text not null,
    payload jsonb not null,
    client_id text,
    client_timestamp text,
    created_at timestamptz not null default clock_timestamp(),
    unique (user_id, client_id)
  );
  -- Without a policy, row-level security denies everything until the next migration.
  alter table public.events enable row level security;
end $$;
