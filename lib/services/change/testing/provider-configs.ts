import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PROVIDER_CONFIG_FILE } from '@/lib/schemas/agent/provider-config'
import type { LivingHost } from '@/simulator/host/living-host'

/** The console's file on each host that has it, and the traits that its nova-compute has read from there. */
export const providerConfigsOf = (hosts: readonly LivingHost[]): Record<string, string> =>
  Object.fromEntries(
    hosts.flatMap(({ name, root, spec }) => {
      const file = path.join(root, '/etc/nova/provider_config', PROVIDER_CONFIG_FILE)
      const read = JSON.stringify(spec().nova.providerTraits ?? [])
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return text === '' && read === '[]' ? [] : [[name, `${text}${read}`]]
    }),
  )
