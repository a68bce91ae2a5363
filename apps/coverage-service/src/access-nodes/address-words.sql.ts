import { join, raw, type Sql, sql } from '@fibre/database';

/** Maximum number of words of a query. */
export const MAX_WORDS = 8;

/** A node in 64, which has an index of its own. */
const IS_SAMPLED = raw('uuid_hash(n.node_id) & 63 = 0');
/** How many nodes are compared to find the best: all matches if they are no more, by what the sample has, and else those of the sample. */
const MOST_COMPARED = 10_000;
/** If the sample has this many matches, they are more. */
const ENOUGH = raw(Math.ceil(MOST_COMPARED / 64));
/** How many nodes of the sample are counted for each word. */
const COUNTED = 4_000;
/** How many nodes an index finds while one is read, about. A word with more nodes than this for each node of the rarest word is not worth it. */
const READ_COST = 3;
/** Room for the nodes of a word in an index. If they have no room, PostgreSQL only keeps their pages, and then reads every node there. */
const WORK_MEMORY = '64MB';

/**
 * Common table expressions, of which `best` has up to `most` nodes by the words of their address: `node_id`, `length` and `is_begun`. The nodes
 * that have all words whole come first. Only if they are fewer, words are searched that begin so: like those of three letters or more, and like
 * a number that is the last word.
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
  // A case expression hides conditions from the planner, which would otherwise look for them in an index too.
  const nodes = (searched: Sql, when: Sql[], others: Sql[] = []): Sql => sql`
      select n.node_id, char_length(n.address) as length from access_node n
      where ${join([sql`n.address_words @@ ${searched}`, ...when], ' and ')}
        and case when ${join([...others, matches], ' and ')} then true else false end`;
  const isEnough = (sample: string): Sql => sql`(select count(*) from (select from ${raw(sample)} limit ${ENOUGH}) s) = ${ENOUGH}`;
  const bestOf = (name: 'whole' | 'begun'): Sql => sql`
      select c.node_id, c.length, ${raw(String(name === 'begun'))} as is_begun
      from (
        (select s.* from sampled_${raw(name)} s where ${isEnough(`sampled_${name}`)} limit ${raw(2 * MOST_COMPARED)})
        union all (select a.* from all_${raw(name)} a limit ${raw(2 * MOST_COMPARED)})
      ) c
      order by c.length, c.node_id limit ${wanted}`;
  const isWanted = sql`(select count(*) from best_whole) < ${wanted}`;
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
      select string_agg(c.begun, ' & ')::tsquery as query
      from (
        select w.begun, s.count, min(s.count) over () as least
        from word w
        cross join lateral (
          select count(*) as count
          from (select from access_node n where n.address_words @@ w.begun::tsquery and ${IS_SAMPLED} limit ${raw(COUNTED + 1)}) m
        ) s
      ) c
      where c.count <= least(c.least * ${raw(READ_COST)}, ${raw(COUNTED)})
    ), all_begun as materialized (${nodes(
      sql`coalesce((select r.query from rarer r), ${query('begun')})`,
      [isWanted, sql`not ${isEnough('sampled_begun')}`],
      [sql`n.address_words @@ ${query('begun')}`, isBegun],
    )}
    ), best as (
      select b.* from best_whole b union all (${bestOf('begun')})
      order by is_begun, length, node_id limit ${wanted}
    )`;
}
