select min(f.kind) as kind, f.id, min(f.label) as label, 'name' as matched, f.folded = $1 as is_exact
from (
  select 'relation' as kind, r.relation_id as id, r.name as label, lower(r.name collate "C") as folded
  from relation r where r.tenant = $2 and r.name is not null and strpos(' ' || translate(lower(r.name collate "C"), '-/&.,:;()+_', '           '), ' ' || translate($1::text, '-/&.,:;()+_', '           ')) > 0
  order by lower(r.name collate "C"), r.relation_id limit 1000
) f
group by f.folded, f.id
order by not starts_with(f.folded, $1), f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'customer_reference' as matched, f.folded = $1 as is_exact
from (
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.customer_reference as label, lower(n.customer_reference collate "C") as folded
  from access_node n where n.tenant = $2 and n.customer_reference is not null and lower(n.customer_reference collate "C") >= $1 and lower(n.customer_reference collate "C") < $3
  order by lower(n.customer_reference collate "C"), n.node_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'address_id' as matched, f.folded = $1 as is_exact
from (
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.address_id as label, lower(n.address_id collate "C") as folded
  from access_node n where n.tenant = $2 and n.address_id is not null and lower(n.address_id collate "C") >= $1 and lower(n.address_id collate "C") < $3
  order by lower(n.address_id collate "C"), n.node_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

  with word as materialized (
  select '''' || f.word || '''' as whole,
    '''' || f.word || case
      when case when f.word ~ '^[0-9]' then f.place = count(*) over () else char_length(f.word) >= 3 end then ''':*' else '''' end as begun
  from unnest(string_to_array(fold_address($1), ' ')) with ordinality as f(word, place)
  union all select t.lexeme, t.lexeme from (select '''@' || $2::text || '''' as lexeme) t
), words as materialized (
  select string_agg(w.whole, ' & ')::tsquery as whole, string_agg(w.begun, ' & ')::tsquery as begun
  from word w where set_config('work_mem', $3, true) is not null
  having count(*) between 2 and 2 + 7
), sampled_whole as materialized (
  select n.node_id, char_length(n.address) as length, coalesce(n.tenant = $2, false) as is_match
  from access_node n
  where n.address_words @@ (select w.whole from words w) and uuid_hash(n.node_id) & 63 = 0 limit 50000
), all_whole as materialized (
  select n.node_id, char_length(n.address) as length, coalesce(n.tenant = $2, false) as is_match
  from access_node n
  where n.address_words @@ (select w.whole from words w) and not (select count(*) from (select from sampled_whole s where s.is_match limit 157) e) = 157 limit 50000
), best_whole as materialized (
  select c.node_id, c.length, false as is_begun
  from (
    select s.node_id, s.length from sampled_whole s where s.is_match
    union select a.node_id, a.length from all_whole a where a.is_match
  ) c
  order by c.length, c.node_id limit 10
), sampled_begun as materialized (
  select n.node_id, char_length(n.address) as length, coalesce(not n.address_words @@ (select w.whole from words w) and n.tenant = $2, false) as is_match
  from access_node n
  where n.address_words @@ (select w.begun from words w) and uuid_hash(n.node_id) & 63 = 0 and (select count(*) from best_whole) < 10 and not (select count(*) from all_whole) = 50000 limit 50000
), rarer as materialized (
  select string_agg(case when c.count > 8000 then c.whole else c.begun end, ' & ')::tsquery as query,
    bool_or(c.count > 8000 and c.begun <> c.whole) as is_cut
  from (
    select w.whole, w.begun, s.count, min(s.count) over () as least
    from word w
    cross join lateral (
      select count(*) as count
      from (select from access_node n where n.address_words @@ w.begun::tsquery and uuid_hash(n.node_id) & 63 = 0 limit 8000 + 1) m
    ) s
    where (select count(*) from best_whole) < 10 and not (select count(*) from all_whole) = 50000 and not (select count(*) from (select from sampled_begun s where s.is_match limit 157) e) = 157
  ) c
  where c.count <= c.least * 10
), all_begun as materialized (
  select n.node_id, char_length(n.address) as length, coalesce(n.address_words @@ (select w.begun from words w) and not n.address_words @@ (select w.whole from words w) and n.tenant = $2, false) as is_match
  from access_node n
  where n.address_words @@ (select r.query from rarer r) limit 50000
), best as (
  select b.* from best_whole b union all (
  select c.node_id, c.length, true as is_begun
  from (
    select s.node_id, s.length from sampled_begun s where s.is_match
    union select a.node_id, a.length from all_begun a where a.is_match
  ) c
  order by c.length, c.node_id limit 10)
  order by is_begun, length, node_id limit 10
), rest as (
  select (select count(*) from all_whole) = 50000 or (select count(*) from all_begun) = 50000 or coalesce((select r.is_cut from rarer r), false) as is_cut
)
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.address as label, 'address' as matched,
    fold_address(n.address) = fold_address($1) as is_exact
  from best b join access_node n on n.node_id = b.node_id
  order by b.is_begun, b.length, b.node_id;
