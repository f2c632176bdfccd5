-- The log of all users' events: what is stored here never changes, it only grows.
--
-- Can be applied again, and over a table that another version of Trunk has made.

begin;

-- A table of this name that is another one, or holds an event twice, stays as it is: whoever owns it decides.
do $$
declare
  wanted constant text[] := array['id uuid', 'user_id uuid', 'type text', 'payload jsonb', 'client_id text',
    'client_timestamp text', 'created_at timestamp with time zone'];
  missing text;
  doubled bigint;
begin
  if to_regclass('public.events') is null then
    return;
  end if;
  select string_agg(name, ', ') into missing from unnest(wanted) as name
    where name not in (
      select attname || ' ' || replace(format_type(atttypid, null), 'character varying', 'text') from pg_attribute
      where attrelid = 'public.events'::regclass and attnum > 0 and not attisdropped);
  if missing is not null then
    raise exception 'There is another table public.events: it lacks the columns %. Nothing was changed.', missing
      using errcode = 'undefined_column', hint = 'Rename that table, or use a project of its own for Trunk.';
  end if;
  select count(*) into doubled from (
    select from public.events where client_id is not null group by client_id having count(*) > 1) as names;
  if doubled > 0 then
    raise exception 'In public.events, % client_ids stand in more than one row. Nothing was changed.', doubled
      using errcode = 'unique_violation', hint = 'Delete the copies, keeping the oldest row of each client_id.';
  end if;
end $$;

create table if not exists public.events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  type text not null,
  payload jsonb not null,
  client_id text,
  client_timestamp text,
  created_at timestamptz not null default now()
);

-- The same event sent twice is one row: the second insert fails with 23505 or is skipped by "on conflict".
create unique index if not exists events_client_id_key on public.events (client_id);

-- Pulling goes by (created_at, id): rows of one transaction share their created_at.
create index if not exists events_user_created on public.events (user_id, created_at, id);

alter table public.events enable row level security;

-- One policy for everything, in place of any that were there: a second, wider one would open the table again.
do $$
declare
  old record;
begin
  for old in select policyname from pg_policies where schemaname = 'public' and tablename = 'events' loop
    execute format('drop policy %I on public.events', old.policyname);
  end loop;
end $$;

-- The sub-select lets PostgreSQL ask for the user once a query instead of once a row.
create policy "Everyone sees and writes their own events" on public.events
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

-- Events are immutable, so nobody may update one. Deleting is for those who leave or begin anew.
revoke all on public.events from anon, authenticated;
grant select, insert, delete on public.events to authenticated;

-- Other devices hear of new rows through this publication.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  if not exists (
    select from pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'events'
  ) then
    alter publication supabase_realtime add table public.events;
  end if;
end $$;

commit;
