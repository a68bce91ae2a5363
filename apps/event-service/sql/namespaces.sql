SELECT "Namespace"."namespace_id" AS "Namespace_namespace_id", "Namespace"."shard_key" AS "Namespace_shard_key", "Namespace"."tenant" AS "Namespace_tenant", "Namespace"."name" AS "Namespace_name", "Namespace"."created_at" AS "Namespace_created_at", "Namespace"."last_used_at" AS "Namespace_last_used_at" FROM "namespace" "Namespace" WHERE (("Namespace"."tenant" = $1) AND ("Namespace"."name" = $2) AND ("Namespace"."shard_key" = $3)) LIMIT 1;

INSERT INTO "namespace" AS "Namespace"("namespace_id", "shard_key", "tenant", "name", "created_at", "last_used_at") VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ( "tenant", "name", "shard_key" ) DO UPDATE SET "last_used_at" = EXCLUDED."last_used_at" RETURNING namespace_id;

UPDATE "namespace" SET "last_used_at" = $1 WHERE ("tenant" = $2 AND "name" = $3 AND "shard_key" = $4) RETURNING "namespace_id";

UPDATE "namespace" SET "name" = $1 WHERE (NOT("name" IS NULL) AND "last_used_at" < $2);

SELECT "Namespace"."namespace_id" AS "Namespace_namespace_id", "Namespace"."shard_key" AS "Namespace_shard_key", "Namespace"."tenant" AS "Namespace_tenant", "Namespace"."name" AS "Namespace_name", "Namespace"."created_at" AS "Namespace_created_at", "Namespace"."last_used_at" AS "Namespace_last_used_at" FROM "namespace" "Namespace" WHERE (("Namespace"."name" IS NULL)) ORDER BY "Namespace"."last_used_at" ASC LIMIT 1;

SELECT event_id AS "id" FROM "event" "r" WHERE (r.tenant = $1 AND r.namespace_id = $2) ORDER BY event_id ASC LIMIT 1000;

DELETE FROM "event" WHERE (tenant = $1 AND namespace_id = $2 AND event_id IN ($3));

SELECT entity_id AS "id" FROM "timeline" "r" WHERE (r.tenant = $1 AND r.namespace_id = $2) ORDER BY entity_id ASC LIMIT 1000;

DELETE FROM "timeline" WHERE (tenant = $1 AND namespace_id = $2 AND entity_id IN ($3));

SELECT partner_id AS "id" FROM "isp" "r" WHERE ("r"."tenant" = $1 AND "r"."namespace_id" = $2) ORDER BY partner_id ASC LIMIT 1000;

SELECT closing_id AS "id" FROM "closing" "r" WHERE ("r"."tenant" = $1 AND "r"."namespace_id" = $2) ORDER BY closing_id ASC LIMIT 1000;

SELECT refused_id AS "id" FROM "refused_event" "r" WHERE (r.tenant = $1 AND r.namespace_id = $2) ORDER BY refused_id ASC LIMIT 1000;

DELETE FROM "namespace" WHERE ("namespace_id" = $1 AND "shard_key" = $2);
