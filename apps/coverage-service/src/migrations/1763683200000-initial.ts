import { WEBHOOK_TABLE } from '@fibre/webhooks';
import { sqlMigration } from '@fibre/database';

/** The whole schema, apart from the functions that repeatable migrations create. */
export const Initial1763683200000 = sqlMigration('Initial1763683200000', [
  // What the search by words compares of an address and of what is searched: words of letters, and numbers. It asks no locale, so that every
  // server folds alike; ASCII takes a short way. Longer words than 64 characters are cut, because a lexeme is limited. Whoever changes this
  // function must also write the column address_words of every node again.
  `create function fold_address(address text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  folded text collate "C" := lower(translate(replace(address, 'ß', 'ss'), 'äöüÄÖÜåÅéÉ', 'aouAOUaAeE') collate "C");
begin
  if octet_length(folded) <> char_length(folded) then
    -- What Unicode writes as a letter and a mark becomes the letter.
    folded := lower(regexp_replace(
      normalize(folded, nfd), '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]', '', 'g'
    ));
    folded := translate(
      normalize(replace(folded, 'ẞ', 'ss'), nfc),
      'ÆæŒœØøÐðĐđŁłĦħŊŋŦŧıÞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏ',
      'aaooooddddllhhnnttiþαβγδεζηθικλμνξοπρσστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџ'
    );
    -- Punctuation and symbols that are not ASCII.
    folded := regexp_replace(
      folded,
      '[\\u0080-\\u00bf×÷\\u02b0-\\u02ff\\u2000-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\ufe10-\\ufe6f\\ufeff\\ufff0-\\uffff'
        || '\\U0001d100-\\U0001d24f\\U0001f000-\\U0001faff]',
      ' ', 'g'
    );
  end if;
  folded := replace(replace(replace(folded, 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
  folded := regexp_replace(folded, '[\\u0001-/:-\\u0060{-\\u007f]+', ' ', 'g');
  folded := regexp_replace(regexp_replace(folded, '([0-9])([^0-9 ])', '\\1 \\2', 'g'), '([^0-9 ])([0-9])', '\\1 \\2', 'g');
  folded := btrim(regexp_replace(folded, '(^| )0+(?=[0-9])', '\\1', 'g'));
  if char_length(folded) > 64 then folded := regexp_replace(folded, '([^ ]{64})[^ ]+', '\\1', 'g'); end if;
  return folded;
end $$`,

  // Coverage access nodes of both collections. Geography needs no extension: a GiST index on position finds the nodes in a box of degrees, and
  // x, y, z (WGS84, earth-centred, in metres) give the distance (docs/adr/0001). 6378137.0 / sqrt(...) is the radius of curvature across the
  // meridian. The numeric columns keep the digits that the client sent.
  `create table access_node (
  node_id            uuid             not null,
  tenant             text collate "C" not null,
  relation_id        uuid             not null,
  collection         text collate "C" not null,
  token              text collate "C" not null,
  latitude           numeric          not null,
  longitude          numeric          not null,
  technology         text collate "C",
  status             text collate "C" not null,
  customer_reference text collate "C",
  country            text collate "C",
  address_id         text collate "C",
  address            text collate "C",
  lot_id             text collate "C",
  available_from     date,
  units              integer,
  units_connected    integer,
  download_mbps      double precision,
  upload_mbps        double precision,
  version            integer          not null default 1,
  created_at         timestamptz(3)   not null default date_trunc('milliseconds', now()),
  created_by         text collate "C",
  modified_at        timestamptz(3)   not null default date_trunc('milliseconds', now()),
  modified_by        text collate "C",
  publication        bigint           default nullif(current_setting('fibre.publication', true), '')::bigint,
  position           point            not null generated always as (point(longitude::double precision, latitude::double precision)) stored,
  x                  double precision not null generated always as (
    6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude::double precision) * sind(latitude::double precision))
      * cosd(latitude::double precision) * cosd(longitude::double precision)
  ) stored,
  y                  double precision not null generated always as (
    6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude::double precision) * sind(latitude::double precision))
      * cosd(latitude::double precision) * sind(longitude::double precision)
  ) stored,
  z                  double precision not null generated always as (
    6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude::double precision) * sind(latitude::double precision))
      * (1 - 0.0066943799901413165) * sind(latitude::double precision)
  ) stored,
  address_words      tsvector         generated always as (
    case when address is not null then array_to_tsvector(string_to_array(fold_address(address), ' ') || ('@' || tenant)) end
  ) stored,
  constraint access_node_pkey primary key (node_id),
  constraint access_node_collection_check check (collection in ('nodes', 'prenodes')),
  constraint access_node_token_check check (token in ('planned', 'construction', 'operation')),
  constraint access_node_latitude_check check (latitude >= -90 and latitude <= 90),
  constraint access_node_longitude_check check (longitude >= -180 and longitude <= 180),
  constraint access_node_units_check check (units_connected <= coalesce(units, -1))
)`,
  `create unique index access_node_customer_reference_key
  on access_node (tenant, relation_id, collection, customer_reference) where customer_reference is not null`,
  `create index access_node_listing_idx on access_node (tenant, collection, node_id)`,

  // It includes the stage, by which the nodes of a relation are counted.
  `create index access_node_relation_idx on access_node (tenant, relation_id, collection, node_id) include (token)`,

  // The listing's filters that match many nodes or none, sorted like its pages. Each index includes the columns of the other filters, so that
  // counting with two filters need not read the table. The index on lower(technology) also includes technology itself, because PostgreSQL would
  // otherwise read the table to evaluate the expression.
  `create index access_node_token_idx on access_node (tenant, collection, token, node_id) include (technology, status)`,
  `create index access_node_status_idx on access_node (tenant, collection, status, node_id) include (technology, token)`,
  `create index access_node_technology_idx
  on access_node (tenant, collection, lower(technology collate "C"), node_id) include (technology, token, status)`,
  `create index access_node_address_idx on access_node (tenant, collection, address_id, node_id) where address_id is not null`,
  `create index access_node_connected_idx on access_node (tenant, collection, node_id) where units_connected > 0`,

  `create index access_node_created_by_idx on access_node (tenant, collection, created_by, node_id) where created_by is not null`,
  `create index access_node_modified_by_idx on access_node (tenant, collection, modified_by, node_id) where modified_by is not null`,

  // The search: the nodes in a box, those at an address, and whether any tenant offers a technology.
  `create index access_node_position_idx on access_node using gist (position) where collection = 'nodes'`,
  `create index access_node_search_address_idx on access_node (address_id, node_id) where collection = 'nodes' and address_id is not null`,
  `create index access_node_search_technology_idx on access_node (lower(technology collate "C")) where collection = 'nodes'`,

  // The search by words and Find: a node's words, and its tenant after an @, which no word has. It omits nodes without an address; an index of
  // all would have them under a key of their own. The second one is of a sample: one node in 64.
  `create index access_node_words_idx on access_node using gin (address_words) where address_words is not null`,
  `create index access_node_words_64_idx
  on access_node using gin (address_words) where address_words is not null and uuid_hash(node_id) & 63 = 0`,

  // Find: what a reference or an address begins with, whatever the case of its ASCII letters (in the collation "C", a prefix is a range), and
  // the end of an id.
  `create index access_node_find_reference_idx
  on access_node (tenant, lower(customer_reference collate "C"), node_id) where customer_reference is not null`,
  `create index access_node_find_address_idx on access_node (tenant, lower(address_id collate "C"), node_id) where address_id is not null`,
  `create index access_node_find_id_idx on access_node (right(node_id::text collate "C", 8))`,

  // The change feeds: production nodes by the time of their last change, per tenant, for all tenants, and per relation. The first index also
  // serves the filter modified_since, so it has all nodes; the others omit those that the feeds show at the time of a publication.
  `create index access_node_changes_idx on access_node (tenant, collection, modified_at, node_id, publication)`,
  `create index access_node_search_changes_idx
  on access_node (modified_at, node_id) where collection = 'nodes' and publication is null`,
  `create index access_node_relation_changes_idx
  on access_node (relation_id, modified_at, node_id) where collection = 'nodes' and publication is null`,
  `create index access_node_publication_idx
  on access_node (publication, node_id, relation_id) where collection = 'nodes' and publication is not null`,

  // The map: a node's key interleaves the bits of its position in the Web Mercator square (31 each of x and y), so that the nodes of any tile,
  // and of any quarter of it, are next to each other in an index. Nodes outside the projection have no key (docs/adr/0015).
  `create function access_node_map_key(place point) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  -- Longitude 180 counts as -180.
  across constant double precision := (place[0] + 180) / 360 - floor((place[0] + 180) / 360);
  down constant double precision := (1 - asinh(tand(place[1])) / pi()) / 2;
  x bigint;
  y bigint;
begin
  if not (down >= 0 and down < 1) then return null; end if;
  x := floor(across * 2147483648);
  y := floor(down * 2147483648);
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $$`,

  // An index of all nodes, and one of each sample: one node in 32, in 256 and in 2048. They include what a tile shows of many nodes; without
  // it, PostgreSQL reads the table for each node, and a tile takes ten times as long.
  `create index access_node_stages_idx
  on access_node (tenant, collection, access_node_map_key(position)) include (position, token)`,
  `create index access_node_stages_32_idx
  on access_node (tenant, collection, access_node_map_key(position)) include (position, token) where uuid_hash(node_id) & 31 = 0`,
  `create index access_node_stages_256_idx
  on access_node (tenant, collection, access_node_map_key(position)) include (position, token) where uuid_hash(node_id) & 255 = 0`,
  `create index access_node_stages_2048_idx
  on access_node (tenant, collection, access_node_map_key(position)) include (position, token) where uuid_hash(node_id) & 2047 = 0`,

  // The deletions of production nodes, for the change feeds; a trigger writes them.
  `create table node_deletion (
  tenant      text collate "C" not null,
  relation_id uuid             not null,
  node_id     uuid             not null,
  deleted_at  timestamptz(3)   not null,
  publication bigint           default nullif(current_setting('fibre.publication', true), '')::bigint,
  constraint node_deletion_pkey primary key (node_id, deleted_at)
)`,
  `create index node_deletion_search_idx on node_deletion (deleted_at, node_id) where publication is null`,
  `create index node_deletion_tenant_idx on node_deletion (tenant, deleted_at, node_id) where publication is null`,
  `create index node_deletion_publication_idx on node_deletion (publication, node_id) where publication is not null`,

  // Bulk work whose changes stand in the feeds at published_at instead of at the time when each was made, because it may take minutes
  // (docs/adr/0021). It puts its id into the transaction's setting fibre.publication, and every write of a node or a deletion copies the
  // setting into the column publication: null, unless the write is part of bulk work.
  `create table publication (
  publication_id bigint           not null generated always as identity,
  tenant         text collate "C" not null,
  published_at   timestamptz(3),
  constraint publication_pkey primary key (publication_id)
)`,
  `create index publication_unpublished_idx on publication (publication_id) where published_at is null`,
  `create index publication_search_idx on publication (published_at)`,
  `create index publication_tenant_idx on publication (tenant, published_at)`,

  // Relations that tenants have created. There is no foreign key, because nodes may name other relations unless RELATIONS=registered.
  `create table relation (
  relation_id   uuid             not null,
  tenant        text collate "C" not null,
  name          text collate "C" not null,
  pip           text collate "C" not null,
  comment       text collate "C",
  operator      text collate "C",
  contact_name  text collate "C",
  contact_email text collate "C",
  contact_phone text collate "C",
  order_url     text collate "C",
  version       integer          not null default 1,
  created_at    timestamptz(3)   not null default date_trunc('milliseconds', now()),
  created_by    text collate "C",
  modified_at   timestamptz(3)   not null default date_trunc('milliseconds', now()),
  modified_by   text collate "C",
  constraint relation_pkey primary key (tenant, relation_id)
)`,

  // PostgreSQL does not treat a partial index as a key, so changing the name does not wait for transactions that lock the row to create nodes.
  `create unique index relation_name_key on relation (tenant, name) where name is not null`,
  `create index relation_pip_idx on relation (tenant, pip, relation_id)`,

  // The relations of all tenants, for ISPs.
  `create index relation_search_idx on relation (relation_id)`,

  // The imports of the last day: their counts, for the overview. With an Idempotency-Key, also the digest of the file and the whole response,
  // for clients that send it again.
  `create table finished_import (
  import_id       uuid             not null default gen_random_uuid(),
  tenant          text collate "C" not null,
  idempotency_key text collate "C",
  digest          text collate "C",
  report          json,
  relation_id     uuid,
  created_at      timestamptz      not null,
  created_by      text collate "C",
  constraint finished_import_pkey primary key (import_id)
)`,
  `create unique index finished_import_key on finished_import (tenant, idempotency_key)`,
  `create index finished_import_tenant_idx on finished_import (tenant, created_at)`,
  `create index finished_import_created_at_idx on finished_import (created_at)`,
  WEBHOOK_TABLE,
]);
