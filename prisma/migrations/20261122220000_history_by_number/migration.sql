-- Rows of the history name by number what many of them repeat. Views tell them with their texts.
-- CreateTable
CREATE TABLE "history_address" (
    "id" SERIAL NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "history_address_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pgpu_point" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "type_id" TEXT,
    "type_name" TEXT,
    "model" TEXT,
    "framework" TEXT,
    "capacity" INTEGER,
    "used" INTEGER,
    "spare" INTEGER,
    "orphan" INTEGER,
    "returning" INTEGER,
    "creatable" INTEGER,

    CONSTRAINT "pgpu_point_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guest_owner" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "flavor_name" TEXT,
    "project_id" TEXT,
    "project_name" TEXT,

    CONSTRAINT "guest_owner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "held_vgpus" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "addresses" TEXT[],
    "type_ids" TEXT[],

    CONSTRAINT "held_vgpus_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "history_address_address_key" ON "history_address"("address");

-- CreateIndex
CREATE UNIQUE INDEX "pgpu_point_digest_key" ON "pgpu_point"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "guest_owner_digest_key" ON "guest_owner"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "held_vgpus_digest_key" ON "held_vgpus"("digest");

CREATE FUNCTION "history_digest"("words" TEXT[]) RETURNS BYTEA LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT sha256(convert_to(words::text, 'UTF8')) $$;

-- What is not numbered yet gets its number by these. One at a time until its transaction ends, so that writers who meet the same
-- new ones in another order do not wait for each other in a circle. Each of their statements sees what was committed before it.
CREATE FUNCTION "number_address"("wanted" TEXT) RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  number INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sliceboard history numbers'));
  SELECT a.id INTO number FROM history_address a WHERE a.address = wanted;
  IF number IS NULL THEN INSERT INTO history_address (address) VALUES (wanted) RETURNING id INTO number; END IF;
  RETURN number;
END
$$;

CREATE FUNCTION "number_point"(
  "wanted" BYTEA, "type_id" TEXT, "type_name" TEXT, "model" TEXT, "framework" TEXT, "capacity" INTEGER, "used" INTEGER,
  "spare" INTEGER, "orphan" INTEGER, "is_returning" INTEGER, "creatable" INTEGER
) RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  number INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sliceboard history numbers'));
  SELECT p.id INTO number FROM pgpu_point p WHERE p.digest = wanted;
  IF number IS NULL THEN
    INSERT INTO pgpu_point AS p (digest, type_id, type_name, model, framework, capacity, used, spare, orphan, "returning", creatable)
    VALUES (wanted, number_point.type_id, number_point.type_name, number_point.model, number_point.framework,
      number_point.capacity, number_point.used, number_point.spare, number_point.orphan, is_returning, number_point.creatable)
    RETURNING p.id INTO number;
  END IF;
  RETURN number;
END
$$;

CREATE FUNCTION "number_owner"("wanted" BYTEA, "flavor_name" TEXT, "project_id" TEXT, "project_name" TEXT)
RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  number INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sliceboard history numbers'));
  SELECT o.id INTO number FROM guest_owner o WHERE o.digest = wanted;
  IF number IS NULL THEN
    INSERT INTO guest_owner AS o (digest, flavor_name, project_id, project_name)
    VALUES (wanted, number_owner.flavor_name, number_owner.project_id, number_owner.project_name) RETURNING o.id INTO number;
  END IF;
  RETURN number;
END
$$;

CREATE FUNCTION "number_held"("wanted" BYTEA, "addresses" TEXT[], "type_ids" TEXT[])
RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  number INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sliceboard history numbers'));
  SELECT v.id INTO number FROM held_vgpus v WHERE v.digest = wanted;
  IF number IS NULL THEN
    INSERT INTO held_vgpus AS v (digest, addresses, type_ids)
    VALUES (wanted, number_held.addresses, number_held.type_ids) RETURNING v.id INTO number;
  END IF;
  RETURN number;
END
$$;

-- What is stored gets its numbers all at once.
INSERT INTO history_address (address) SELECT DISTINCT address FROM pgpu_change ORDER BY 1;
INSERT INTO pgpu_point (digest, type_id, type_name, model, framework, capacity, used, spare, orphan, "returning", creatable)
SELECT history_digest(ARRAY[c.type_id, c.type_name, c.model, c.framework, c.capacity::text, c.used::text, c.spare::text,
  c.orphan::text, c."returning"::text, c.creatable::text]), c.* FROM (
  SELECT DISTINCT type_id, type_name, model, framework, capacity, used, spare, orphan, "returning", creatable FROM pgpu_change) c;
INSERT INTO guest_owner (digest, flavor_name, project_id, project_name)
SELECT history_digest(ARRAY[c.flavor_name, c.project_id, c.project_name]), c.* FROM (
  SELECT DISTINCT flavor_name, project_id, project_name FROM guest_change) c;
INSERT INTO held_vgpus (digest, addresses, type_ids)
SELECT history_digest(ARRAY[c.addresses::text, c.type_ids::text]), c.* FROM (
  SELECT DISTINCT coalesce(addresses, '{}') AS addresses, coalesce(type_ids, '{}') AS type_ids FROM guest_change) c;

-- The columns in an order that leaves no room between them.
ALTER TABLE "pgpu_change" RENAME TO "pgpu_change_before";
CREATE TABLE "pgpu_change" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "host_id" INTEGER NOT NULL,
    "address_id" INTEGER NOT NULL,
    "point_id" INTEGER NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL
) PARTITION BY RANGE ("at");

ALTER TABLE "guest_change" RENAME TO "guest_change_before";
CREATE TABLE "guest_change" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "uuid" UUID NOT NULL,
    "host_id" INTEGER NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "held_id" INTEGER NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "name" TEXT NOT NULL
) PARTITION BY RANGE ("at");

-- The same months as before.
DO $$
DECLARE
  month RECORD;
BEGIN
  FOR month IN
    SELECT p.relname AS before, left(p.relname, -length('_before')) AS parent, c.relname AS name, c.oid,
      pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE i.inhparent IN ('pgpu_change_before'::regclass, 'guest_change_before'::regclass)
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', month.name, month.name || '_before');
    EXECUTE format('CREATE TABLE %I PARTITION OF %I %s', month.name, month.parent, month.bound);
  END LOOP;
END
$$;

INSERT INTO pgpu_change (at, host_id, address_id, point_id, enrolment, boot, sequence)
SELECT c.at, c.host_id, a.id, p.id, c.enrolment, c.boot, c.sequence
FROM pgpu_change_before c JOIN history_address a ON a.address = c.address
JOIN pgpu_point p ON p.digest = history_digest(ARRAY[c.type_id, c.type_name, c.model, c.framework, c.capacity::text, c.used::text,
  c.spare::text, c.orphan::text, c."returning"::text, c.creatable::text])
ORDER BY c.at;
DROP TABLE pgpu_change_before;

INSERT INTO guest_change (at, uuid, host_id, owner_id, held_id, enrolment, boot, sequence, name)
SELECT c.at, c.uuid::uuid, c.host_id, o.id, v.id, c.enrolment, c.boot, c.sequence, c.name
FROM guest_change_before c
JOIN guest_owner o ON o.digest = history_digest(ARRAY[c.flavor_name, c.project_id, c.project_name])
JOIN held_vgpus v ON v.digest = history_digest(ARRAY[coalesce(c.addresses, '{}')::text, coalesce(c.type_ids, '{}')::text])
ORDER BY c.at;
DROP TABLE guest_change_before;

-- CreateIndex
CREATE INDEX "pgpu_change_host_id_address_id_at_idx" ON "pgpu_change"("host_id", "address_id", "at");

-- CreateIndex
CREATE INDEX "pgpu_change_at_idx" ON "pgpu_change" USING BRIN ("at") WITH (autosummarize = on);

-- CreateIndex
CREATE INDEX "guest_change_uuid_idx" ON "guest_change"("uuid");

-- CreateIndex
CREATE INDEX "guest_change_at_idx" ON "guest_change" USING BRIN ("at") WITH (autosummarize = on);

CREATE TRIGGER "pgpu_change_mark" AFTER INSERT ON "pgpu_change" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_changes"();

CREATE TRIGGER "guest_change_mark" AFTER INSERT ON "guest_change" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_changes"();

CREATE VIEW "pgpu_history" AS
SELECT c.host_id, a.address, c.enrolment, c.boot, c.sequence, c.at, p.type_id, p.type_name, p.model, p.framework, p.capacity,
  p.used, p.spare, p.orphan, p."returning", p.creatable
FROM pgpu_change c JOIN history_address a ON a.id = c.address_id JOIN pgpu_point p ON p.id = c.point_id;

CREATE VIEW "guest_history" AS
SELECT c.host_id, c.uuid::text AS uuid, c.enrolment, c.boot, c.sequence, c.at, c.name, o.flavor_name, o.project_id,
  o.project_name, v.addresses, v.type_ids
FROM guest_change c JOIN guest_owner o ON o.id = c.owner_id JOIN held_vgpus v ON v.id = c.held_id;
