-- What only the page of a host shows is read from the stored report, no longer from rows of its own.
ALTER TABLE "host" ADD COLUMN "problems" JSONB NOT NULL DEFAULT '[]';

UPDATE "host" h SET "problems" = p."problems"
FROM (
  SELECT "host_id", jsonb_agg(jsonb_build_object('source', "source", 'code', "code", 'message', "message") ORDER BY "id") AS "problems"
  FROM "problem" GROUP BY "host_id"
) p WHERE p."host_id" = h."id";

DROP TABLE "problem";

DROP TABLE "mdev";

DROP TABLE "virtual_function";

CREATE OR REPLACE VIEW "current_host" AS SELECT * FROM "host" WHERE "removed_at" IS NULL;

ALTER TABLE "pgpu" DROP CONSTRAINT "pgpu_pkey",
DROP COLUMN "id",
DROP COLUMN "vendor_id",
DROP COLUMN "device_id",
DROP COLUMN "is_mig_backed",
DROP COLUMN "driver",
DROP COLUMN "available",
ADD CONSTRAINT "pgpu_pkey" PRIMARY KEY ("host_id", "address");

DROP INDEX "pgpu_host_id_address_key";

ALTER TABLE "guest" DROP CONSTRAINT "guest_pkey",
DROP COLUMN "id",
DROP COLUMN "state",
DROP COLUMN "flavor_name",
ADD CONSTRAINT "guest_pkey" PRIMARY KEY ("host_id", "uuid");

DROP INDEX "guest_host_id_uuid_key";

-- The hash of a set of types covers the hashes of its types instead of their ids, so that it follows from a report alone. base64url
-- without padding, as the console writes it.
UPDATE "vgpu_type_set" s SET "hash" = rtrim(translate(encode(sha256(convert_to(
  (SELECT string_agg(t."hash", ',' ORDER BY m.place) FROM unnest(s."vgpu_type_ids") WITH ORDINALITY AS m (id, place)
   JOIN "vgpu_type" t ON t."id" = m.id), 'UTF8')), 'base64'), '+/' || chr(10), '-_'), '=')
WHERE cardinality(s."vgpu_type_ids") > 0;

-- Groups of reports read what is stored under the lock of their hosts; nothing is proved by what the console knew before.
DROP FUNCTION "require_hosts_as_known"(BIGINT, INTEGER);

DROP FUNCTION "history_number_gone"(INTEGER);

CREATE OR REPLACE FUNCTION "roll_up_mark_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows that are carried out of a month that goes repeat what is known.
  IF current_setting('sliceboard.carrying', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO roll_up_mark (cloud_id, at)
  SELECT h.cloud_id, min(n.at) FROM new_rows n JOIN host h ON h.id = n.host_id GROUP BY h.cloud_id;
  RETURN NULL;
END
$$;
