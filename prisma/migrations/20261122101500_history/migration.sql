-- Both histories are partitioned by time, so that old months go at once. What no month of its own takes lands in the default one.
ALTER TABLE "pgpu_change" RENAME TO "pgpu_change_before";
ALTER TABLE "pgpu_change_before" RENAME CONSTRAINT "pgpu_change_pkey" TO "pgpu_change_before_pkey";

-- CreateTable
CREATE TABLE "pgpu_change" (
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
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

    CONSTRAINT "pgpu_change_pkey" PRIMARY KEY ("host_id", "address", "at", "enrolment", "boot", "sequence")
) PARTITION BY RANGE ("at");
CREATE TABLE "pgpu_change_default" PARTITION OF "pgpu_change" DEFAULT;

INSERT INTO "pgpu_change" ("host_id", "address", "enrolment", "boot", "sequence", "at", "type_id", "framework", "capacity",
    "used", "spare", "orphan", "returning", "creatable")
SELECT "host_id", "address", "enrolment", "boot", "sequence", "at", "type_id", "framework", "capacity",
    "used", "spare", "orphan", "returning", "creatable" FROM "pgpu_change_before";
DROP TABLE "pgpu_change_before";

-- CreateTable
CREATE TABLE "guest_change" (
    "host_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "flavor_name" TEXT,
    "project_id" TEXT,
    "project_name" TEXT,
    "addresses" TEXT[],
    "type_ids" TEXT[],

    CONSTRAINT "guest_change_pkey" PRIMARY KEY ("host_id", "uuid", "at", "enrolment", "boot", "sequence")
) PARTITION BY RANGE ("at");
CREATE TABLE "guest_change_default" PARTITION OF "guest_change" DEFAULT;

-- CreateTable
CREATE TABLE "host_watch" (
    "host_id" INTEGER NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_watch_pkey" PRIMARY KEY ("host_id", "since", "enrolment", "boot", "sequence")
);

-- AlterTable
ALTER TABLE "host" ADD COLUMN     "watched_at" TIMESTAMPTZ(3),
ADD COLUMN     "watched_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "pgpu_change_at_idx" ON "pgpu_change"("at");

-- CreateIndex
CREATE INDEX "guest_change_at_idx" ON "guest_change"("at");

-- CreateIndex
CREATE INDEX "host_watch_until_idx" ON "host_watch"("until");
