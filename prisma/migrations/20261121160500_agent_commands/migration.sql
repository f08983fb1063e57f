-- CreateTable
CREATE TABLE "command_key" (
    "cloud_id" INTEGER NOT NULL,
    "public_key" TEXT NOT NULL,
    "sealed_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "command_key_pkey" PRIMARY KEY ("cloud_id")
);

-- CreateTable
CREATE TABLE "agent_command" (
    "id" TEXT NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "host_id" INTEGER NOT NULL,
    "change_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,
    "is_undo" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "command" JSONB NOT NULL,
    "order_text" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "message" TEXT,
    "output" TEXT,
    "previous" JSONB,
    "is_settled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "agent_command_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_command_host_id_state_idx" ON "agent_command"("host_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "agent_command_change_id_position_revision_key" ON "agent_command"("change_id", "position", "revision");

-- AddForeignKey
ALTER TABLE "command_key" ADD CONSTRAINT "command_key_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_change_id_position_fkey" FOREIGN KEY ("change_id", "position") REFERENCES "change_step"("change_id", "position") ON DELETE CASCADE ON UPDATE CASCADE;
