import 'server-only'
import type { SecretBox } from '@/lib/server/secrets/secret-box'
import { type NamedHost, type Resolve, resolveHost } from '@/lib/server/webhook/allowed-address'
import type { Runtime } from './runtime'

/** What it takes to call the webhooks that admins add. */
export type WebhookMeans = {
  /** Seals their addresses and secrets. */
  box: SecretBox
  /** Hosts inside that they may call (SLICEBOARD_WEBHOOK_HOSTS). */
  named: readonly NamedHost[]
  /** Where links lead (SLICEBOARD_URL); null: messages have none. */
  consoleUrl: string | null
  resolve: Resolve
}

export const webhookMeans = ({ env, box }: Pick<Runtime, 'env' | 'box'>): WebhookMeans => ({
  box,
  named: env.webhookHosts,
  consoleUrl: env.url,
  resolve: resolveHost,
})
