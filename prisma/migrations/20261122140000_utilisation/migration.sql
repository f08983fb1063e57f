-- CreateTable
CREATE TABLE "utilisation_arrival" (
    "id" BIGSERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "samples" BYTEA NOT NULL,

    CONSTRAINT "utilisation_arrival_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "utilisation_series" (
    "id" SERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "vgpu" TEXT NOT NULL,
    "guest" TEXT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "utilisation_series_pkey" PRIMARY KEY ("id")
);

-- Each is kept for a time of its own, and goes by days or months at once.
-- CreateTable
CREATE TABLE "utilisation_minute" (
    "host_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "begin" TIMESTAMPTZ(3) NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_minute_pkey" PRIMARY KEY ("host_id", "kind", "begin")
) PARTITION BY RANGE ("begin");
CREATE TABLE "utilisation_minute_default" PARTITION OF "utilisation_minute" DEFAULT;

-- CreateTable
CREATE TABLE "utilisation_five" (
    "host_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "begin" TIMESTAMPTZ(3) NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_five_pkey" PRIMARY KEY ("host_id", "kind", "begin")
) PARTITION BY RANGE ("begin");
CREATE TABLE "utilisation_five_default" PARTITION OF "utilisation_five" DEFAULT;

-- CreateTable
CREATE TABLE "utilisation_hour" (
    "host_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "begin" TIMESTAMPTZ(3) NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_hour_pkey" PRIMARY KEY ("host_id", "kind", "begin")
) PARTITION BY RANGE ("begin");
CREATE TABLE "utilisation_hour_default" PARTITION OF "utilisation_hour" DEFAULT;

-- CreateTable
CREATE TABLE "utilisation_vgpu_hour" (
    "host_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "begin" TIMESTAMPTZ(3) NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_vgpu_hour_pkey" PRIMARY KEY ("host_id", "kind", "begin")
) PARTITION BY RANGE ("begin");
CREATE TABLE "utilisation_vgpu_hour_default" PARTITION OF "utilisation_vgpu_hour" DEFAULT;

-- CreateTable
CREATE TABLE "utilisation_day" (
    "host_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "begin" TIMESTAMPTZ(3) NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_day_pkey" PRIMARY KEY ("host_id", "kind", "begin")
);

-- CreateTable
CREATE TABLE "utilisation_mark" (
    "id" BIGSERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "utilisation_mark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "utilisation_roll_up" (
    "cloud_id" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "begin" DATE NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "utilisation_roll_up_pkey" PRIMARY KEY ("cloud_id", "step", "dimension", "begin", "key")
);

-- CreateIndex
CREATE INDEX "utilisation_arrival_last_at_idx" ON "utilisation_arrival"("last_at");

-- CreateIndex
CREATE INDEX "utilisation_arrival_host_id_last_at_idx" ON "utilisation_arrival"("host_id", "last_at");

-- CreateIndex
CREATE UNIQUE INDEX "utilisation_series_host_id_address_vgpu_guest_key" ON "utilisation_series"("host_id", "address", "vgpu", "guest");

-- CreateIndex
CREATE INDEX "utilisation_mark_cloud_id_idx" ON "utilisation_mark"("cloud_id");

-- AddForeignKey
ALTER TABLE "utilisation_roll_up" ADD CONSTRAINT "utilisation_roll_up_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
