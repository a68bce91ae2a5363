INSERT INTO "isp"("tenant", "namespace_id", "partner_id", "name", "email", "comment", "isp_tenant", "version", "created_at", "created_by", "modified_at", "modified_by") VALUES ($1, $2, $3, $4, $5, $6, $7, DEFAULT, DEFAULT, $8, DEFAULT, $9) RETURNING "version", "created_at", "modified_at";

insert into isp_access (isp_tenant, tenant, partner_id, first_at, begins_at, ends_at)
select a.isp_tenant, a.tenant, a.partner_id, a.first_at, a.begins_at, write_time() from isp_access a
where a.tenant = $1 and a.partner_id = $2::uuid and a.ends_at is null and not exists (select 1 from isp i where i.tenant = $1 and i.namespace_id = $3::uuid and i.partner_id = $2::uuid and i.isp_tenant = a.isp_tenant)
union all
select i.isp_tenant, i.tenant, i.partner_id, n.now, n.now, null from isp i cross join lateral (select write_time() as now) n
where i.tenant = $1 and i.namespace_id = $3::uuid and i.partner_id = $2::uuid and i.isp_tenant is not null and not exists (select 1 from isp_access a where a.tenant = $1 and a.partner_id = $2::uuid and a.ends_at is null and a.isp_tenant = i.isp_tenant)
on conflict (isp_tenant, tenant, partner_id) do update set begins_at = excluded.begins_at, ends_at = excluded.ends_at;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2) AND ("Isp"."partner_id" = $3)) LIMIT 1;

UPDATE "isp" SET "name" = $1, "email" = $2, "comment" = $3, "isp_tenant" = $4, "version" = "version" + 1, "modified_at" = greatest(write_time(), "modified_at" + interval '1 millisecond'), "modified_by" = $5 WHERE ("tenant" = $6 AND "namespace_id" = $7 AND "partner_id" = $8) AND ("name", "email", "comment", "isp_tenant") is distinct from ($9, $10, $11, $12) RETURNING *;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (((("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2)))) ORDER BY "Isp"."partner_id" ASC LIMIT 2;

select count(*)::int as total from (SELECT 1 FROM "isp" "record" WHERE ("record"."tenant" = $1 AND "record"."namespace_id" = $2) limit 10000 + 1) counted;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (((("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2) AND ("Isp"."partner_id" >= $3)))) ORDER BY "Isp"."partner_id" ASC LIMIT 2;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (((("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2)))) ORDER BY "Isp"."partner_id" DESC LIMIT 2;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (((("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2) AND ("Isp"."partner_id" <= $3)))) ORDER BY "Isp"."partner_id" DESC LIMIT 2;

select e.event_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) as event_at, (e.sys_attributes->>'partner_id')::uuid as partner_id
from event e
where e.tenant = $1 and e.namespace_id = $2 and e.event_type in ('activation', 'notification') and e.sys_attributes is not null
  and (e.sys_attributes->>'partner_id')::uuid >= $3::uuid
order by (e.sys_attributes->>'partner_id')::uuid limit 1;

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2) AND ("Isp"."partner_id" = $3)) LIMIT 1 FOR UPDATE;

DELETE FROM "isp" WHERE ("tenant" = $1 AND "namespace_id" = $2 AND "partner_id" = $3);
