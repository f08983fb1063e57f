-- Partitioned by time as the hosts' histories are.

-- CreateTable
CREATE TABLE "pgpu_cloud_change" (
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "advertised" INTEGER,
    "advertised_used" INTEGER,
    "stranded" INTEGER,
    "service_state" TEXT,
    "aggregates" TEXT[],

    CONSTRAINT "pgpu_cloud_change_pkey" PRIMARY KEY ("host_id", "address", "at")
) PARTITION BY RANGE ("at");
CREATE TABLE "pgpu_cloud_change_default" PARTITION OF "pgpu_cloud_change" DEFAULT;

-- What stands is where the history begins.
INSERT INTO "pgpu_cloud_change" ("host_id", "address", "at", "advertised", "advertised_used", "stranded", "service_state",
    "aggregates")
SELECT "host_id", "address", now(), "advertised", "advertised_used", "stranded", coalesce("service_state", 'unknown'),
    "aggregates" FROM "pgpu_cloud";

-- CreateTable
CREATE TABLE "limit_change" (
    "cloud_id" INTEGER NOT NULL,
    "region" TEXT NOT NULL,
    "resource_name" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "value" INTEGER,

    CONSTRAINT "limit_change_pkey" PRIMARY KEY ("cloud_id", "region", "resource_name", "project_id", "at")
) PARTITION BY RANGE ("at");
CREATE TABLE "limit_change_default" PARTITION OF "limit_change" DEFAULT;

-- CreateIndex
CREATE INDEX "pgpu_cloud_change_at_idx" ON "pgpu_cloud_change"("at");

-- CreateIndex
CREATE INDEX "limit_change_at_idx" ON "limit_change"("at");
