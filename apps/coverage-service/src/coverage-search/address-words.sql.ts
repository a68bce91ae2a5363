import { join, raw, type Sql, sql } from '@fibre/database';

/** Maximum number of words of a query. */
export const MAX_WORDS = 8;

/** A node in 64, which has an index of its own. */
const IS_SAMPLED = raw('uuid_hash(n.node_id) & 63 = 0');
/** If more nodes than this match, by what the sample has, the best of the sample are enough. */
const MOST_COMPARED = 10_000;
/** So many nodes of the sample tell that. */
const ENOUGH = raw(Math.ceil(MOST_COMPARED / 64));
/** How many nodes with the words are read, so that a search costs little however few of them pass a filter. */
const MOST_READ = raw(50_000);
/** A word is only searched whole if more nodes of the sample than this have a word that begins so: half a million in all. */
const MOST_BEGUN = raw(8_000);
/** How many nodes an index finds while one is read, about. A word with more nodes than this for each node of the rarest word is not worth it. */
const READ_COST = raw(10);
/** Room for the nodes of a word in an index. If they have no room, PostgreSQL only keeps their pages, and then reads every node there. */
const WORK_MEMORY = '64MB';

/**
 * Common table expressions, of which `best` has up to `most` nodes by the words of their address: `node_id`, `length` and `is_begun`. The nodes
 * that have all words whole come first. Only if they are fewer, words are searched that begin so: like those of three letters or more, and like
 * a number that is the last word. `rest` has one row: whether nodes were left out that might be among the best (`is_cut`).
 *
 * Folding leaves nothing that has a meaning in a query. PostgreSQL's parser of texts would depend on the locale, and read `12-14` as 12 and
 * -14. The planner must not know the query: it would think that two common words meet in many nodes, and read the whole table until it has
 * ten. So it expects one node in a thousand, and uses an index.
 *
 * An index costs as much as a beginning has nodes, even if another word has few. So the sample comes first, and is enough for what very many
 * nodes have; for the rest, the index searches only the rarer words, if there are any, and the others are looked for in the nodes that have
 * these.
 *
 * @param tenant whose nodes alone match; without it, everybody's
 */
export function bestByWords(text: Sql, matches: Sql, most: number, tenant?: Sql): Sql {
  const [wanted, least] = [raw(most), raw(tenant === undefined ? 1 : 2)];
  const query = (name: 'whole' | 'begun'): Sql => sql`(select w.${raw(name)} from words w)`;
  // Filters are no conditions of the query: the planner would look for them in an index too, and the limit would not count what they leave out.
  const nodes = (searched: Sql, when: Sql[], others: Sql[] = []): Sql => sql`
      select n.node_id, char_length(n.address) as length, coalesce(${join([...others, matches], ' and ')}, false) as is_match
      from access_node n
      where ${join([sql`n.address_words @@ ${searched}`, ...when], ' and ')} limit ${MOST_READ}`;
  const isEnough = (sample: string): Sql =>
    sql`(select count(*) from (select from ${raw(sample)} s where s.is_match limit ${ENOUGH}) e) = ${ENOUGH}`;
  const isCut = (all: string): Sql => sql`(select count(*) from ${raw(all)}) = ${MOST_READ}`;
  const bestOf = (name: 'whole' | 'begun'): Sql => sql`
      select c.node_id, c.length, ${raw(String(name === 'begun'))} as is_begun
      from (
        select s.node_id, s.length from sampled_${raw(name)} s where s.is_match
        union select a.node_id, a.length from all_${raw(name)} a where a.is_match
      ) c
      order by c.length, c.node_id limit ${wanted}`;
  const isWanted = sql`(select count(*) from best_whole) < ${wanted} and not ${isCut('all_whole')}`;
  const isBegun = sql`not n.address_words @@ ${query('whole')}`;
  return sql`word as materialized (
      select '''' || f.word || '''' as whole,
        '''' || f.word || case
          when case when f.word ~ '^[0-9]' then f.place = count(*) over () else char_length(f.word) >= 3 end then ''':*' else '''' end as begun
      from unnest(string_to_array(fold_address(${text}), ' ')) with ordinality as f(word, place)
      ${tenant === undefined ? undefined : sql`union all select t.lexeme, t.lexeme from (select '''@' || ${tenant}::text || '''' as lexeme) t`}
    ), words as materialized (
      select string_agg(w.whole, ' & ')::tsquery as whole, string_agg(w.begun, ' & ')::tsquery as begun
      from word w where set_config('work_mem', ${WORK_MEMORY}, true) is not null
      having count(*) between ${least} and ${least} + ${raw(MAX_WORDS - 1)}
    ), sampled_whole as materialized (${nodes(query('whole'), [IS_SAMPLED])}
    ), all_whole as materialized (${nodes(query('whole'), [sql`not ${isEnough('sampled_whole')}`])}
    ), best_whole as materialized (${bestOf('whole')}
    ), sampled_begun as materialized (${nodes(query('begun'), [IS_SAMPLED, isWanted], [isBegun])}
    ), rarer as materialized (
      select string_agg(case when c.count > ${MOST_BEGUN} then c.whole else c.begun end, ' & ')::tsquery as query,
        bool_or(c.count > ${MOST_BEGUN} and c.begun <> c.whole) as is_cut
      from (
        select w.whole, w.begun, s.count, min(s.count) over () as least
        from word w
        cross join lateral (
          select count(*) as count
          from (select from access_node n where n.address_words @@ w.begun::tsquery and ${IS_SAMPLED} limit ${MOST_BEGUN} + 1) m
        ) s
        where ${isWanted} and not ${isEnough('sampled_begun')}
      ) c
      where c.count <= c.least * ${READ_COST}
    ), all_begun as materialized (${nodes(sql`(select r.query from rarer r)`, [], [sql`n.address_words @@ ${query('begun')}`, isBegun])}
    ), best as (
      select b.* from best_whole b union all (${bestOf('begun')})
      order by is_begun, length, node_id limit ${wanted}
    ), rest as (
      select ${isCut('all_whole')} or ${isCut('all_begun')} or coalesce((select r.is_cut from rarer r), false) as is_cut
    )`;
}
