-- Brings public.events into its current form: a new table, one of an earlier version of these migrations, or one that
-- another version of Trunk created. Can be applied again. If something doesn't fit, nothing is changed.

begin;

set local timezone = 'UTC';

-- Check first. Each error says what to do.
do $$
declare
  wanted constant text[] := array['id uuid', 'user_id uuid', 'type text', 'payload jsonb', 'client_id text',
    'client_timestamp text', 'created_at timestamp with time zone'];
  convertible constant text[] := array['type character varying', 'client_id character varying', 'client_id uuid',
    'client_timestamp character varying', 'client_timestamp timestamp with time zone'];
  columns text[];
  names text;
  owner name;
  doubled bigint;
begin
  if to_regclass('public.events') is null then
    raise exception 'There is no table public.events.' using errcode = 'undefined_table',
      hint = 'Apply supabase/migrations/20260101000000_events.sql first.';
  end if;
  select rolname into owner from pg_class join pg_roles on pg_roles.oid = relowner
    where pg_class.oid = 'public.events'::regclass and not pg_has_role(relowner, 'usage');
  if owner is not null then
    raise exception 'public.events belongs to the role %, and this is the role %. Nothing was changed.', owner, current_user
      using errcode = 'insufficient_privilege',
      hint = format('Apply the migrations as %I, or let it run "alter table public.events owner to %I" first.', owner, current_user);
  end if;
  lock table public.events in access exclusive mode;

  -- Realtime's publication, at the end, must get the table.
  select rolname into owner from pg_publication join pg_roles on pg_roles.oid = pubowner
    where pubname = 'supabase_realtime' and not pg_has_role(pubowner, 'usage') and not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'events');
  if owner is not null then
    raise exception 'The publication supabase_realtime belongs to the role %, and this is the role %. Nothing was changed.',
      owner, current_user using errcode = 'insufficient_privilege',
      hint = format('Apply the migrations as %I, or let it run "alter publication supabase_realtime owner to %I" first.',
        owner, current_user);
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime')
    and not has_database_privilege(current_database(), 'create')
  then
    raise exception 'There is no publication supabase_realtime, and the role % may not create it. Nothing was changed.',
      current_user using errcode = 'insufficient_privilege',
      hint = format('Let the owner of the database run "grant create on database %I to %I" first.', current_database(), current_user);
  end if;

  if (select relkind from pg_class where oid = 'public.events'::regclass) <> 'r' then
    raise exception 'public.events is not an ordinary table. Nothing was changed.' using errcode = 'wrong_object_type',
      hint = 'Use a separate project for Trunk, or rename public.events and apply all migrations again.';
  end if;

  select array_agg(attname || ' ' || format_type(atttypid, null)) into columns from pg_attribute
    where attrelid = 'public.events'::regclass and attnum > 0 and not attisdropped;
  select string_agg(name, ', ') into names from unnest(wanted) as name
    where name <> all (columns) and not exists (
      select from unnest(convertible) as other
      where other = any (columns) and split_part(other, ' ', 1) = split_part(name, ' ', 1));
  if names is not null then
    raise exception 'public.events is not a table of Trunk: it lacks the columns %. Nothing was changed.', names
      using errcode = 'undefined_column',
      hint = 'Use a separate project for Trunk, or rename public.events and apply all migrations again.';
  end if;

  select string_agg(attname, ', ') into names from pg_attribute
    where attrelid = 'public.events'::regclass and attnum > 0 and not attisdropped
      and attnotnull and not atthasdef and attidentity = '' and attname not in (
        'id', 'user_id', 'type', 'payload', 'client_id', 'client_timestamp', 'created_at');
  if names is not null then
    raise exception 'public.events requires values for columns that Trunk doesn''t know: %. Nothing was changed.', names
      using errcode = 'not_null_violation', hint = 'Give these columns a default, or drop their "not null".';
  end if;

  select string_agg(attname, ', ' order by array_position(indkey::smallint[], attnum)) into names
    from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = 'public.events'::regclass and indisprimary;
  if names is distinct from 'id' then
    raise exception 'The primary key of public.events must be (id), but %. Nothing was changed.',
      coalesce('it is (' || names || ')', 'there is none')
      using errcode = 'invalid_table_definition',
      hint = case when names is null then '' else format('First drop the constraint %I. ', (select conname
          from pg_constraint where conrelid = 'public.events'::regclass and contype = 'p')) end
        || 'Run "alter table public.events add primary key (id)", then apply this migration again.';
  end if;

  select count(*) into doubled from (
    select from public.events where user_id is not null and client_id is not null
    group by user_id, client_id having count(*) > 1) as names;
  if doubled > 0 then
    raise exception 'In public.events, % client_ids are in several rows of the same account. Nothing was changed.', doubled
      using errcode = 'unique_violation',
      hint = 'Compare these rows. Within one account, give the newer row a different client_id if its payload differs; '
        'it may be deleted only if an older row of the same account has the same client_id, type and payload.';
  end if;
end $$;

-- The one permissive policy at the end replaces all others: a wider one would open the table. Restrictive policies only
-- narrow access, so they stay. Policies go first because they can depend on columns that are converted.
do $$
declare
  old record;
begin
  for old in select * from pg_policies where schemaname = 'public' and tablename = 'events' and permissive = 'PERMISSIVE'
  loop
    if old.policyname <> 'Everyone sees and writes their own events' then
      raise notice 'Dropped the policy "%" (for % to %, using %, with check %).', old.policyname, lower(old.cmd),
        array_to_string(old.roles, ', '), coalesce(old.qual, 'nothing'), coalesce(old.with_check, 'nothing');
    end if;
    execute format('drop policy %I on public.events', old.policyname);
  end loop;
end $$;

-- Columns: types, defaults, and whether they may be null.
do $$
declare
  old record;
  detail text;
  nulls bigint;
begin
  for old in select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'public.events'::regclass and attname in ('type', 'client_id', 'client_timestamp')
      and atttypid <> 'text'::regtype
  loop
    begin
      if old.type = 'timestamp with time zone' then
        -- The form that all clients write; microseconds are kept where there are any.
        alter table public.events alter column client_timestamp drop default,
          alter column client_timestamp type text using case
            when client_timestamp < timestamptz '0001-01-01' or client_timestamp >= timestamptz '10000-01-01'
              then client_timestamp::text
            when extract(microseconds from client_timestamp)::bigint % 1000 = 0
              then to_char(client_timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            else to_char(client_timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
          end;
      else
        execute format('alter table public.events alter column %I type text', old.name);
      end if;
    exception when feature_not_supported or dependent_objects_still_exist then
      get stacked diagnostics detail = pg_exception_detail;
      raise exception 'public.events.% can''t be converted to text: %. Nothing was changed.', old.name, detail
        using errcode = 'dependent_objects_still_exist',
        hint = 'Drop what depends on the column, apply this migration again, then create it again.';
    end;
    raise notice 'Converted public.events.% from % to text.', old.name, old.type;
  end loop;

  alter table public.events
    alter column id set default gen_random_uuid(),
    alter column created_at set default clock_timestamp(),
    alter column client_id drop not null,
    alter column client_timestamp drop not null;

  update public.events set created_at = clock_timestamp() where created_at is null;
  get diagnostics nulls = row_count;
  if nulls > 0 then
    raise notice 'Set created_at of % rows that had none.', nulls;
  end if;
  for old in select unnest(array['created_at', 'user_id', 'type', 'payload']) as name loop
    execute format('select count(*) from public.events where %I is null', old.name) into nulls;
    if nulls = 0 then
      execute format('alter table public.events alter column %I set not null', old.name);
    else
      raise notice '% rows have no %. They stay as they are.', nulls, old.name;
    end if;
  end loop;
end $$;

-- Deleting an account deletes its rows.
do $$
declare
  owner constant smallint[] := array[(
    select attnum from pg_attribute where attrelid = 'public.events'::regclass and attname = 'user_id')];
  old record;
  has_cascade boolean := false;
  orphans bigint;
begin
  for old in select conname, confdeltype from pg_constraint
    where conrelid = 'public.events'::regclass and contype = 'f' and confrelid = 'auth.users'::regclass and conkey = owner
  loop
    if old.confdeltype = 'c' then
      has_cascade := true;
    else
      execute format('alter table public.events drop constraint %I', old.conname);
    end if;
  end loop;
  -- Not valid at first, because rows of deleted accounts must not stop the migration.
  if not has_cascade then
    alter table public.events add foreign key (user_id) references auth.users (id) on delete cascade not valid;
  end if;
  select count(*) into orphans from public.events
    where user_id is not null and not exists (select from auth.users where users.id = events.user_id);
  if orphans > 0 then
    raise notice '% rows belong to accounts that no longer exist. They stay, and no one can read them.', orphans;
    return;
  end if;
  for old in select conname from pg_constraint
    where conrelid = 'public.events'::regclass and contype = 'f' and conkey = owner and not convalidated
  loop
    execute format('alter table public.events validate constraint %I', old.conname);
  end loop;
end $$;

-- An account stores each event once: a second insert fails with 23505, or "on conflict (user_id, client_id)" skips it.
-- Another account may have an event with the same client_id, because users can upload one garden to several accounts.
do $$
declare
  events constant regclass := 'public.events';
  owner constant smallint := (select attnum from pg_attribute where attrelid = events and attname = 'user_id');
  name constant smallint := (select attnum from pg_attribute where attrelid = events and attname = 'client_id');
  old record;
begin
  for old in select indexrelid::regclass::text as index, conname from pg_index
    left join pg_constraint on conindid = indexrelid and conrelid = indrelid and contype = 'u'
    where indrelid = events and indisunique and not indisprimary
      and (indkey::smallint[])[:indnkeyatts - 1] = array[name]
  loop
    if old.conname is null then
      execute format('drop index %s', old.index);
    else
      execute format('alter table public.events drop constraint %I', old.conname);
    end if;
    raise notice 'Dropped %: client_ids were unique across all accounts.', coalesce(old.conname, old.index);
  end loop;
  if not exists (
    select from pg_index
    where indrelid = events and indisunique and indimmediate and indisvalid and not indnullsnotdistinct
      and indpred is null and indexprs is null and indnkeyatts = 2 and indkey::smallint[] @> array[owner, name])
  then
    alter table public.events add unique (user_id, client_id);
  end if;
end $$;

-- Clients fetch in this order. Rows of one transaction have increasing times: a reader that continues after the last
-- time of a page would otherwise miss other rows with that time.
do $$
begin
  if not exists (
    select from pg_index where indrelid = 'public.events'::regclass and indisvalid
      and pg_get_indexdef(indexrelid) like '%USING btree (user\_id, created\_at, id)')
  then
    create index on public.events (user_id, created_at, id);
  end if;
end $$;

alter table public.events enable row level security;

-- The sub-select lets PostgreSQL ask for the user once per query instead of once per row.
create policy "Everyone sees and writes their own events" on public.events
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

-- Events are immutable, so no one may update one. Clients delete rows when the user deletes everything.
revoke all on public.events from public, anon, authenticated;
grant select, insert, delete on public.events to authenticated;

-- Realtime reports new rows to other devices through this publication.
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
