-- Creates the log of all accounts' events. Rows never change; the table only grows.
--
-- A table public.events that exists already stays as it is here: the next migration checks it and converts it.

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
