import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { API_CONF_PATH } from '@/simulator/demo-fleet/api-host'
import { novaConfFiles } from '@/simulator/host-tree/render-nova-conf'
import type { WorldHost } from '@/simulator/world/world-host'
import type { OperationContext } from './operation-context'

const namesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (!/^(?:alias|pci_alias)\s*=/.test(line)) return []
    return /"name":\s*"([^"]+)"/.exec(line)?.[1] ?? []
  })

const ofApi = ({ living }: WorldHost): string[] | null => {
  const file = path.join(living.root, API_CONF_PATH)
  return existsSync(file) ? namesIn(readFileSync(file, 'utf8')) : null
}

const ofCompute = ({ living }: WorldHost): string[] => {
  const { name, nova } = living.spec()
  return novaConfFiles(name, nova).flatMap(({ text }) => namesIn(text))
}

/** By nova.conf of Nova's API where a host of the cloud has one, else as if the API had what its compute hosts have. */
export const apiAliases = ({ view: { hosts } }: OperationContext): ReadonlySet<string> => {
  const configured = hosts.flatMap((host) => ofApi(host) ?? [])
  const hasApi = hosts.some((host) => ofApi(host) !== null)
  return new Set(hasApi ? configured : hosts.flatMap(ofCompute))
}
