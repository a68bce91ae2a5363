import { withClient } from '@fibre/embedded-postgres';
import type { Dataset } from './database.js';

export const TENANTS = ['ano.east', 'ano.west', 'ano.north', 'ano.south'] as const;
/** The tenant whose nodes are listed. */
export const LISTED_TENANT = TENANTS[0];

/** Nodes of towns, many of them small and a few large. */
const TOWN_SIZE = { smallest: 20, median: 500, largest: 40_000, spread: 1.3 };
/** A town's radius grows with the square root of its size, so all towns have the same density: about 1,100 nodes per km² in the middle. */
const DEGREES_PER_ROOT = 12 / 111_320;
const POINTS = 20_000;
const START_OF_TIME = Date.UTC(2026, 0, 1);

/** A normally distributed random number (Box and Muller). PostgreSQL 15 has no such function. */
const NORMAL = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
const pick = (...values: readonly (string | null)[]): string =>
  `(array[${values.map((value) => (value === null ? 'null' : `'${value}'`)).join()}])[1 + floor(random() * ${values.length})::int]`;

/** Towns with the same name, as the districts of a city have; one town in so many. */
const CITIES = { Wien: 8, Graz: 40, Linz: 60 };
const SYLLABLES = `('{al,berg,dorn,eich,feld,gold,hof,inn,korn,lind,mar,neu,ober,pfarr,reit,sand,tann,ulm,wald,zell}'::text[])`;
const named = (number: string): string =>
  `initcap(${SYLLABLES}[1 + ${number} % 20] || ${SYLLABLES}[1 + ${number} / 20 % 20] || ${SYLLABLES}[1 + ${number} / 400 % 20])`;
/** An address like `Hauptstraße 12/3, 4020 Linz`: a few streets are in every town, and towns share the names of the others. */
const ADDRESS = `
  case when random() < 0.15 then ${pick('Hauptstraße', 'Bahnhofstraße', 'Schulstraße', 'Kirchengasse', 'Dorfstraße', 'Lindenweg')}
    else ${named('floor(8000 * power(random(), 3))::int')} || ${pick('straße', 'gasse', 'weg', 'platz')} end
  || ' ' || 1 + floor(120 * power(random(), 2)) || case when random() < 0.3 then '/' || 1 + floor(20 * random()) else '' end
  || ', ' || 1000 + town % 9000 || ' ' || case
    ${Object.entries(CITIES)
      .map(([name, oneIn]) => `when town % ${oneIn} = 0 then '${name}'`)
      .join(' ')}
    else ${named('town::int * 7')} || 'dorf' end`;
/** One node in so many is connected, if nodes have addresses. */
const CONNECTED_IN = 20_000;

/** The nodes of several tenants, some of them in prenodes; or all of one tenant's in production, or with addresses. */
export const nodesDataset = (nodes: number, { oneTenant = false, hasAddresses = false } = {}): Dataset => ({
  service: 'coverage-service',
  name: `${oneTenant ? 'one_tenant' : hasAddresses ? 'addressed' : 'nodes'}_${nodes}_v4`,
  records: nodes,
  tables: ['access_node'],
  fill: async (client) => {
    // The same random numbers in every run.
    await client.query('select setseed(0.5)');
    await client.query(`
      create temp table town on commit drop as
      select town, size, sum(size) over (order by town) - size as before, latitude, longitude, tenant
      from (
        select town, 46.4 + 2.6 * random() as latitude, 9.5 + 7.6 * random() as longitude, ${oneTenant ? `'${LISTED_TENANT}'` : pick(...TENANTS)} as tenant,
          least(${TOWN_SIZE.largest}, greatest(${TOWN_SIZE.smallest}, ${TOWN_SIZE.median} * exp(${TOWN_SIZE.spread} * ${NORMAL})))::int as size
        from generate_series(1, ${Math.ceil(nodes / TOWN_SIZE.smallest)}) town) t`);
    await client.query(`
      insert into access_node (node_id, tenant, collection, created_at, modified_at, relation_id, token, latitude, longitude, status, technology,
        country, address_id, lot_id, customer_reference${hasAddresses ? ', address, units, units_connected' : ''})
      select (lpad(to_hex(ms), 12, '0') || '7' || left(md5(n::text), 3) || '8' || right(md5(n::text), 15))::uuid,
        tenant, ${oneTenant ? `'nodes'` : `case when random() < 0.95 then 'nodes' else 'prenodes' end`}, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0),
        ('00000000-0000-4000-8000-' || lpad(town::text, 12, '0'))::uuid, ${pick('operation', 'operation', 'operation', 'construction', 'planned')},
        round((latitude + radius * ${NORMAL})::numeric, 6), round((longitude + radius * ${NORMAL} / cos(radians(latitude)))::numeric, 6),
        ${pick('active', 'active', 'active', 'suspended')}, ${pick('ftth', 'ftth', 'fttb', null)}, 'AT', 'AT-' || 1000000 + n,
        case when random() < 0.5 then 'LOT ' || n end, 'CAN-' || n
        ${hasAddresses ? `, ${ADDRESS}, 1, case when n % ${CONNECTED_IN} = 0 then 1 end` : ''}
      from (
        select *, ${START_OF_TIME} + n as ms, ${DEGREES_PER_ROOT} * sqrt(size) as radius
        from (select *, before + generate_series(1, least(size, ${nodes} - before)) as n from town where before < ${nodes} order by town) t) t`);
  },
});

export interface Point {
  latitude: string;
  longitude: string;
}

/** Points where people live; points in large towns are more likely. */
export const inhabitedPoints = (databaseUrl: string): Promise<Point[]> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Point>(
      'select latitude::text, longitude::text from access_node order by md5(node_id::text) limit $1',
      [POINTS],
    );
    return rows;
  });
