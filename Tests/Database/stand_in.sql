-- The parts of a new Supabase project that the migrations and tests need: the API's roles, the accounts, the function
-- that reads the account from the request's token, privileges on new tables, and the publication.
create role anon nologin;
create role authenticated nologin;
create schema auth;
create table auth.users (id uuid primary key, email text unique, raw_user_meta_data jsonb);
create function auth.uid() returns uuid language sql stable
  as $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
grant usage on schema auth, public to anon, authenticated;
grant execute on function auth.uid to anon, authenticated;
alter default privileges in schema public grant all on tables to anon, authenticated;
create publication supabase_realtime;
insert into auth.users (id) values
  ('00000000-0000-4000-8000-00000000000a'), ('00000000-0000-4000-8000-00000000000b');
