INSERT INTO "relation"("tenant", "relation_id", "name", "pip", "comment", "version", "created_at", "modified_at") VALUES ($1, $2, $3, $4, DEFAULT, DEFAULT, DEFAULT, DEFAULT) RETURNING "version", "created_at", "modified_at";

SELECT "Relation"."tenant" AS "Relation_tenant", "Relation"."relation_id" AS "Relation_relation_id", "Relation"."name" AS "Relation_name", "Relation"."pip" AS "Relation_pip", "Relation"."comment" AS "Relation_comment", "Relation"."version" AS "Relation_version", "Relation"."created_at" AS "Relation_created_at", "Relation"."modified_at" AS "Relation_modified_at" FROM "relation" "Relation" WHERE (("Relation"."tenant" = $1)) ORDER BY "Relation"."relation_id" ASC LIMIT 2;

select count(*)::int as total from (SELECT 1 FROM "relation" "record" WHERE "record"."tenant" = $1 limit 10000 + 1) counted;

SELECT "Relation"."tenant" AS "Relation_tenant", "Relation"."relation_id" AS "Relation_relation_id", "Relation"."name" AS "Relation_name", "Relation"."pip" AS "Relation_pip", "Relation"."comment" AS "Relation_comment", "Relation"."version" AS "Relation_version", "Relation"."created_at" AS "Relation_created_at", "Relation"."modified_at" AS "Relation_modified_at" FROM "relation" "Relation" WHERE (("Relation"."tenant" = $1) AND ("Relation"."relation_id" = $2)) LIMIT 1;

select (select count(*)::int from (select 1 from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = 'nodes' limit 100000 + 1) counted) as nodes, (select count(*)::int from (select 1 from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = 'prenodes' limit 100000 + 1) counted) as prenodes;

UPDATE "relation" SET "pip" = $1, "version" = "version" + 1, "modified_at" = write_time() WHERE ("tenant" = $2 AND "relation_id" = $3) RETURNING *;

select exists (select 1 from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = 'nodes') as nodes, exists (select 1 from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = 'prenodes') as prenodes;

SELECT "Relation"."tenant" AS "Relation_tenant", "Relation"."relation_id" AS "Relation_relation_id", "Relation"."name" AS "Relation_name", "Relation"."pip" AS "Relation_pip", "Relation"."comment" AS "Relation_comment", "Relation"."version" AS "Relation_version", "Relation"."created_at" AS "Relation_created_at", "Relation"."modified_at" AS "Relation_modified_at" FROM "relation" "Relation" WHERE (("Relation"."tenant" = $1) AND ("Relation"."relation_id" = $2)) LIMIT 1 FOR UPDATE;

DELETE FROM "relation" WHERE ("tenant" = $1 AND "relation_id" = $2);
