-- CreateTable
CREATE TABLE "session" (
    "id" SERIAL NOT NULL,
    "hash" TEXT NOT NULL,
    "cloud" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_domain" TEXT NOT NULL,
    "user_domain_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "scope_kind" TEXT,
    "project_id" TEXT,
    "project_name" TEXT,
    "project_domain" TEXT,
    "role" TEXT,
    "keystone_roles" TEXT[],
    "unscoped_token" TEXT,
    "scoped_token" TEXT,
    "token_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" SERIAL NOT NULL,
    "hash" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "cloud" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_domain" TEXT NOT NULL,
    "scope_kind" TEXT NOT NULL,
    "project_id" TEXT,
    "project_name" TEXT,
    "project_domain" TEXT,
    "role" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "last_address" TEXT,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_allowance" (
    "key" TEXT NOT NULL,
    "full_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_allowance_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_hash_key" ON "session"("hash");

-- CreateIndex
CREATE INDEX "session_cloud_user_id_idx" ON "session"("cloud", "user_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");

-- CreateIndex
CREATE INDEX "api_token_cloud_user_id_idx" ON "api_token"("cloud", "user_id");
