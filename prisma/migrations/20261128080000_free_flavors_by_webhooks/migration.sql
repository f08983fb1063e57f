-- Notifications of free flavors go through the outbox of webhooks, which retries them.
ALTER TABLE "webhook" ADD COLUMN "wants_free_flavors" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "catalog_watch" DROP COLUMN "tries", DROP COLUMN "next_try_at";
