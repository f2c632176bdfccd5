-- Checks a project after the migrations, and changes nothing. Each line must say true.

with project as (select to_regclass('public.events') as events)
select checks.name as "check", coalesce(checks.is_right, false) as "right"
from project, lateral (values
  ('The table of events exists.', events is not null),
  ('An account stores each event once.', exists (
    select from pg_index where indrelid = events and indisunique and indisvalid and indpred is null
      and pg_get_indexdef(indexrelid) like '%(user\_id, client\_id)')),
  ('Pages are read by an index.', exists (
    select from pg_index where indrelid = events and indisvalid
      and pg_get_indexdef(indexrelid) like '%(user\_id, created\_at, id)')),
  ('Rows of one request have different times.', exists (
    select from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    where adrelid = events and attname = 'created_at' and pg_get_expr(adbin, adrelid) = 'clock_timestamp()')),
  ('Deleting an account deletes its events.', exists (
    select from pg_constraint where conrelid = events and contype = 'f' and confrelid = to_regclass('auth.users')
      and confdeltype = 'c')),
  ('Row-level security is on.', (select relrowsecurity from pg_class where oid = events)),
  ('One policy admits rows, those of the account.', (
    select count(*) = 1 and bool_and(policyname = 'Everyone sees and writes their own events')
    from pg_policies where schemaname = 'public' and tablename = 'events' and permissive = 'PERMISSIVE')),
  ('Signed-in users read, add and delete rows.', has_table_privilege('authenticated', events, 'select')
    and has_table_privilege('authenticated', events, 'insert')
    and has_table_privilege('authenticated', events, 'delete')),
  ('No user changes a row.', not has_table_privilege('authenticated', events, 'update')),
  ('Strangers have no access.', not has_table_privilege('anon', events, 'select, insert, update, delete, truncate')),
  ('New rows are reported to other devices.', exists (
    select from pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'events'))
) as checks (name, is_right);
