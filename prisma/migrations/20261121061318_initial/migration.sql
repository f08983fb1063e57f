-- CreateTable
CREATE TABLE "cloud" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "region" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cloud_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "enrolment" INTEGER NOT NULL DEFAULT 0,
    "boot" INTEGER NOT NULL DEFAULT 0,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "digest" TEXT,
    "agent_version" TEXT,
    "os_name" TEXT,
    "kernel" TEXT,
    "libvirt_version" TEXT,
    "qemu_version" TEXT,
    "driver_version" TEXT,
    "deployment" TEXT,
    "guest_count" INTEGER,
    "gpu_count" INTEGER NOT NULL DEFAULT 0,
    "problem_count" INTEGER NOT NULL DEFAULT 0,
    "applied_reports" BIGINT NOT NULL DEFAULT 0,
    "dropped_reports" INTEGER NOT NULL DEFAULT 0,
    "taken_at" TIMESTAMPTZ(3),
    "reported_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_xid" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "host_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host_inventory" (
    "host_id" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "host_inventory_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "vgpu_type" (
    "id" SERIAL NOT NULL,
    "hash" TEXT NOT NULL,
    "type_id" TEXT NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "device_api" TEXT,

    CONSTRAINT "vgpu_type_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vgpu_type_set" (
    "id" SERIAL NOT NULL,
    "hash" TEXT NOT NULL,
    "vgpu_type_ids" INTEGER[],

    CONSTRAINT "vgpu_type_set_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pgpu" (
    "id" SERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "vendor_id" TEXT,
    "device_id" TEXT,
    "model" TEXT NOT NULL,
    "framework" TEXT NOT NULL,
    "is_mig_backed" BOOLEAN NOT NULL DEFAULT false,
    "driver" TEXT,
    "numa_node" INTEGER,
    "framebuffer_mib" INTEGER,
    "type_id" INTEGER,
    "type_set_id" INTEGER,
    "available" INTEGER[],
    "capacity" INTEGER,
    "used" INTEGER,
    "spare" INTEGER,
    "orphan" INTEGER,
    "returning" INTEGER,
    "creatable" INTEGER,
    "finding_code" TEXT,
    "finding_severity" TEXT,
    "finding" TEXT,
    "unknown_reason" TEXT,

    CONSTRAINT "pgpu_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "virtual_function" (
    "id" SERIAL NOT NULL,
    "pgpu_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "driver" TEXT,
    "current_type" INTEGER,

    CONSTRAINT "virtual_function_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mdev" (
    "id" SERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "pgpu_address" TEXT,
    "parent" TEXT NOT NULL,
    "type_id" TEXT,
    "is_active" BOOLEAN NOT NULL,
    "is_defined" BOOLEAN NOT NULL,
    "is_autostart" BOOLEAN NOT NULL,
    "guest_uuid" TEXT,

    CONSTRAINT "mdev_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guest" (
    "id" SERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "server_name" TEXT,
    "flavor_name" TEXT,
    "project_id" TEXT,
    "project_name" TEXT,
    "user_name" TEXT,
    "pgpu_addresses" TEXT[],

    CONSTRAINT "guest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "problem" (
    "id" SERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "problem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pgpu_change" (
    "id" BIGSERIAL NOT NULL,
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "boot" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type_id" TEXT,
    "framework" TEXT NOT NULL,
    "capacity" INTEGER,
    "used" INTEGER,
    "spare" INTEGER,
    "orphan" INTEGER,
    "returning" INTEGER,
    "creatable" INTEGER,

    CONSTRAINT "pgpu_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "join_token" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "host_name" TEXT,
    "max_uses" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "join_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_credential" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "host_id" INTEGER NOT NULL,
    "enrolment" INTEGER NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "prev_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "cloud_name_key" ON "cloud"("name");

-- CreateIndex
CREATE INDEX "host_changed_xid_idx" ON "host"("changed_xid");

-- CreateIndex
CREATE UNIQUE INDEX "host_cloud_id_name_key" ON "host"("cloud_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "vgpu_type_hash_key" ON "vgpu_type"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "vgpu_type_set_hash_key" ON "vgpu_type_set"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "pgpu_host_id_address_key" ON "pgpu"("host_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "virtual_function_pgpu_id_address_key" ON "virtual_function"("pgpu_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "mdev_host_id_uuid_key" ON "mdev"("host_id", "uuid");

-- CreateIndex
CREATE INDEX "guest_uuid_idx" ON "guest"("uuid");

-- CreateIndex
CREATE UNIQUE INDEX "guest_host_id_uuid_key" ON "guest"("host_id", "uuid");

-- CreateIndex
CREATE INDEX "problem_host_id_idx" ON "problem"("host_id");

-- CreateIndex
CREATE INDEX "pgpu_change_host_id_address_at_idx" ON "pgpu_change"("host_id", "address", "at");

-- CreateIndex
CREATE UNIQUE INDEX "pgpu_change_host_id_address_enrolment_boot_sequence_key" ON "pgpu_change"("host_id", "address", "enrolment", "boot", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "join_token_hash_key" ON "join_token"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "agent_credential_host_id_enrolment_key" ON "agent_credential"("host_id", "enrolment");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_hash_key" ON "audit_entry"("hash");

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_inventory" ADD CONSTRAINT "host_inventory_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pgpu" ADD CONSTRAINT "pgpu_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pgpu" ADD CONSTRAINT "pgpu_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "vgpu_type"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pgpu" ADD CONSTRAINT "pgpu_type_set_id_fkey" FOREIGN KEY ("type_set_id") REFERENCES "vgpu_type_set"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "virtual_function" ADD CONSTRAINT "virtual_function_pgpu_id_fkey" FOREIGN KEY ("pgpu_id") REFERENCES "pgpu"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mdev" ADD CONSTRAINT "mdev_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest" ADD CONSTRAINT "guest_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "problem" ADD CONSTRAINT "problem_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "join_token" ADD CONSTRAINT "join_token_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_credential" ADD CONSTRAINT "agent_credential_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_credential" ADD CONSTRAINT "agent_credential_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
