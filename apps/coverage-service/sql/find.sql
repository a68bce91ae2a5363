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
  select n.node_id, char_length(n.address) as length from access_node n
  where n.address_words @@ (select w.whole from words w) and uuid_hash(n.node_id) & 63 = 0
    and case when n.tenant = $2 then true else false end
), all_whole as materialized (
  select n.node_id, char_length(n.address) as length from access_node n
  where n.address_words @@ (select w.whole from words w) and not (select count(*) from (select from sampled_whole limit 157) s) = 157
    and case when n.tenant = $2 then true else false end
), best_whole as materialized (
  select c.node_id, c.length, false as is_begun
  from (
    (select s.* from sampled_whole s where (select count(*) from (select from sampled_whole limit 157) s) = 157 limit 20000)
    union all (select a.* from all_whole a limit 20000)
  ) c
  order by c.length, c.node_id limit 10
), sampled_begun as materialized (
  select n.node_id, char_length(n.address) as length from access_node n
  where n.address_words @@ (select w.begun from words w) and uuid_hash(n.node_id) & 63 = 0 and (select count(*) from best_whole) < 10
    and case when not n.address_words @@ (select w.whole from words w) and n.tenant = $2 then true else false end
), rarer as materialized (
  select string_agg(c.begun, ' & ')::tsquery as query
  from (
    select w.begun, s.count, min(s.count) over () as least
    from word w
    cross join lateral (
      select count(*) as count
      from (select from access_node n where n.address_words @@ w.begun::tsquery and uuid_hash(n.node_id) & 63 = 0 limit 4001) m
    ) s
  ) c
  where c.count <= least(c.least * 3, 4000)
), all_begun as materialized (
  select n.node_id, char_length(n.address) as length from access_node n
  where n.address_words @@ coalesce((select r.query from rarer r), (select w.begun from words w)) and (select count(*) from best_whole) < 10 and not (select count(*) from (select from sampled_begun limit 157) s) = 157
    and case when n.address_words @@ (select w.begun from words w) and not n.address_words @@ (select w.whole from words w) and n.tenant = $2 then true else false end
), best as (
  select b.* from best_whole b union all (
  select c.node_id, c.length, true as is_begun
  from (
    (select s.* from sampled_begun s where (select count(*) from (select from sampled_begun limit 157) s) = 157 limit 20000)
    union all (select a.* from all_begun a limit 20000)
  ) c
  order by c.length, c.node_id limit 10)
  order by is_begun, length, node_id limit 10
)
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.address as label, 'address' as matched,
    fold_address(n.address) = fold_address($1) as is_exact
  from best b join access_node n on n.node_id = b.node_id
  order by b.is_begun, b.length, b.node_id;
