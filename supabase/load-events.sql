-- Loads events.csv, exported from trunk-server as docs/moving-to-supabase.md shows, into public.events: all rows or none.

\set ON_ERROR_STOP on
begin;

-- Texts are bytes in hexadecimal digits, so that no quote, line break or empty text can be misread.
create temporary table moved (
  id uuid, user_id uuid, type bytea, payload bytea, client_id bytea, client_timestamp bytea, microseconds bigint
) on commit drop;
\copy moved from 'events.csv' with (format csv)
alter table moved add column document text;
update moved set document = convert_from(payload, 'UTF8');

-- PostgreSQL's error for a text that is not jsonb; null if it is.
create function pg_temp.problem(document text) returns text language plpgsql as $$
begin
  perform document::jsonb;
  return null;
exception when data_exception or program_limit_exceeded then
  return sqlerrm;
end $$;

-- Half of a surrogate pair is not a character. Earlier versions of trunk-server stored it; PostgreSQL refuses it. U+FFFD,
-- the replacement character, takes its place. Escaped backslashes are protected first, because \\ud800 is ordinary text.
create function pg_temp.without_half_characters(document text) returns text language sql as $$
  select replace(regexp_replace(regexp_replace(replace(document, '\\', E'\x01'),
    '\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})', '\\ufffd', 'g'),
    '(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}', '\\ufffd', 'g'), E'\x01', '\\')
$$;

do $$
declare
  event record;
  bad text := '';
begin
  for event in select * from moved where pg_temp.problem(document) is not null order by microseconds, id loop
    event.document := pg_temp.without_half_characters(event.document);
    if pg_temp.problem(event.document) is null then
      update moved set document = event.document where id = event.id;
      raise notice 'Event % of account % has half a character, which is now U+FFFD.', event.id, event.user_id;
    else
      bad := bad || format(E'\nEvent %s of account %s: %s', event.id, event.user_id, pg_temp.problem(event.document));
    end if;
  end loop;
  if bad <> '' then
    raise exception 'PostgreSQL can''t store these payloads. Nothing was loaded.%', bad
      using errcode = 'data_exception';
  end if;
end $$;

insert into public.events (id, user_id, type, payload, client_id, client_timestamp, created_at)
  select id, user_id, convert_from(type, 'UTF8'), document::jsonb, convert_from(client_id, 'UTF8'),
    convert_from(client_timestamp, 'UTF8'),
    timestamptz 'epoch' + microseconds / 1000000 * interval '1 second' + microseconds % 1000000 * interval '1 microsecond'
  from moved order by microseconds, id;

commit;
select count(*) || ' events are in public.events now.' from public.events;
