import type { CommandOf } from '@/lib/schemas/agent/command'
import {
  PROVIDER_CONFIG_FILE,
  providerConfigContent,
  readProviderConfig,
} from '@/lib/schemas/agent/provider-config'
import { collectNovaConfig } from '../collect/nova-config'
import { providerConfigFolder } from '../collect/provider-config'
import type { CommandHost } from './command-host'
import type { Done } from './done'
import { pathOf } from './own-file'
import { Refusal } from './refusal'

type Command = CommandOf<'write-provider-config'>

/** Where nova-compute of this host reads its provider config. */
const folderOf = (host: CommandHost): string => {
  const config = collectNovaConfig({ ...host.look(), given: host.novaConfig })
  if (config === null) throw new Refusal('No nova.conf could be read on this host.')
  const folder = providerConfigFolder(config)
  if (folder === null)
    throw new Refusal(
      `nova-compute runs in a container of ${config.deployment} here: its deployment tool puts the file there.`,
    )
  return folder
}

/** nova-compute does not start with a provider that two files name (nova/compute/provider_config.py). */
const refuseNamedTwice = (
  host: CommandHost,
  { folder, entries }: { folder: string; entries: Command['entries'] },
) => {
  const { files } = host.look()
  if (!files.exists(folder)) return
  for (const name of files.names(folder) ?? []) {
    if (!name.endsWith('.yaml') || name === PROVIDER_CONFIG_FILE) continue
    const text = host.readPlain(`${folder}/${name}`)?.toString('utf8') ?? ''
    const named = entries?.find(({ provider }) => text.includes(provider))
    if (named !== undefined)
      throw new Refusal(
        `${folder}/${name} names ${named.provider} already, and nova-compute does not start with a provider that two files name.`,
      )
  }
}

const refuseOthers = (target: string, text: string | null, was: string | null): void => {
  if (text === was) return
  if (text === null)
    throw new Refusal(`${target} differs from its state at planning: the file does not exist.`)
  throw new Refusal(
    readProviderConfig(text) === null
      ? `${target} was not written by Sliceboard, or was changed since then: it is not overwritten.`
      : `${target} differs from its state at planning.`,
  )
}

/** Writes or removes the console's own file of nova-compute's provider config. */
export const writeProviderConfig = async (host: CommandHost, { entries, was }: Command): Promise<Done> => {
  const folder = folderOf(host)
  const file = { folder, names: [PROVIDER_CONFIG_FILE] }
  const target = pathOf(file)
  const wanted = entries === null ? null : providerConfigContent(entries)
  const text = host.readPlain(file)?.toString('utf8') ?? null
  if (text === wanted) return { message: `${target} is as wanted already.`, output: '' }
  refuseOthers(target, text, was === null ? null : providerConfigContent(was))
  refuseNamedTwice(host, { folder, entries })
  if (wanted === null) host.removeFile(file)
  else {
    host.makeFolders(file)
    host.replaceFile(file, wanted)
  }
  return { message: `${target} was ${wanted === null ? 'removed' : 'written'}.`, output: '' }
}
