-- CreateTable
CREATE TABLE "console_secret" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_secret_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "console_secret_one_row" CHECK ("id" = 1)
);
