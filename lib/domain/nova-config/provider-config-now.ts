import { GRAMMARS, isWellFormed } from '@/lib/schemas/agent/grammar'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import {
  PROVIDER_CONFIG_FILE,
  type ProviderTraits,
  providerConfigContent,
  readProviderConfig,
} from '@/lib/schemas/agent/provider-config'

/** What nova-compute of a host finds in its provider config at the next start. */
export type ProviderConfigNow = {
  /** Of the console's own file, there or not. */
  path: string
  /** What that file holds; null: it is not there. */
  own: readonly ProviderTraits[] | null
  /** Files of others; `text` null: it could not be read. */
  others: readonly { path: string; text: string | null }[]
}

/** Reads what a host's agent reports of its provider config, or the reason why it is unknown or cannot be written. */
export const providerConfigNow = (
  config: NovaConfig | null,
): { now: ProviderConfigNow; reason: null } | { now: null; reason: string } => {
  const no = (reason: string) => ({ now: null, reason })
  if (config === null) return no('its nova.conf could not be read')
  const { deployment, providerConfig } = config
  if (providerConfig === undefined)
    return no(
      deployment === 'package' || deployment === 'given'
        ? 'its agent is too old to report its provider config: upgrade the agent'
        : `its nova-compute runs in a container (${deployment}), so its deployment tool has to write the file`,
    )
  if (providerConfig === null) return no('the folder of its provider config could not be listed')
  const { folder, files } = providerConfig
  if (!isWellFormed('path', folder))
    return no(
      `[compute] provider_config_location in its nova.conf ${GRAMMARS.path.rule}: correct nova.conf first`,
    )
  const path = `${folder}/${PROVIDER_CONFIG_FILE}`
  const found = files.find(({ name }) => name === PROVIDER_CONFIG_FILE)
  const own = found === undefined ? null : readProviderConfig(found.text ?? '')
  if (found !== undefined && own === null)
    return no(`${path} was not written by the console, or was changed: move it to another folder first`)
  return {
    now: {
      path,
      own,
      others: files
        .filter(({ name }) => name !== PROVIDER_CONFIG_FILE)
        .map(({ name, text }) => ({ path: `${folder}/${name}`, text })),
    },
    reason: null,
  }
}

/** Both say the same to Nova; null: there is no file. */
export const isSameProviderConfig = (
  a: readonly ProviderTraits[] | null,
  b: readonly ProviderTraits[] | null,
): boolean => (a === null || b === null ? a === b : providerConfigContent(a) === providerConfigContent(b))

/**
 * Which problem nova-compute would have with these entries in addition to the files of others; null: no provider is named
 * twice. If two files give the same name, it does not start. If another file has the provider's uuid, it starts, and its
 * periodic task then fails every time. Source: nova/compute/provider_config.py, nova/compute/resource_tracker.py
 * _merge_provider_configs.
 */
export const namedTwice = (
  { others }: ProviderConfigNow,
  entries: readonly (ProviderTraits & { uuid?: string | null })[],
): string | null => {
  const unread = others.find(({ text }) => text === null)
  if (unread !== undefined)
    return `${unread.path} could not be read. If it names the same provider, nova-compute does not start`
  for (const { path, text } of others) {
    const named = entries.find(({ provider }) => text?.includes(provider))
    if (named !== undefined)
      return `${path} already names ${named.provider}, and nova-compute does not start if two files name a provider: merge the traits there`
    const known = entries.find(({ uuid }) => uuid != null && text?.includes(uuid))
    if (known !== undefined)
      return `${path} already names ${known.provider} by its UUID, and with both files nova-compute no longer updates Placement for this host: merge the traits there`
  }
  return null
}

/** Who puts a trait on a provider at every period of nova-compute. */
type PutBack = { path: string; provider: string; trait: string; isOwn: boolean }

/** The first trait of these providers that a file would restore after its removal; null: none. */
export const putBackBy = (
  { path, own, others }: ProviderConfigNow,
  {
    providers,
    isMeant,
  }: { providers: readonly { name: string; uuid: string | null }[]; isMeant: (trait: string) => boolean },
): PutBack | null => {
  for (const { name, uuid } of providers) {
    const mine = own?.find(({ provider }) => provider === name)?.traits.find(isMeant)
    if (mine !== undefined) return { path, provider: name, trait: mine, isOwn: true }
    for (const { path: other, text } of others) {
      const isNamed = text?.includes(name) === true || (uuid !== null && text?.includes(uuid) === true)
      const trait = isNamed ? text?.match(/CUSTOM_[A-Z0-9_]+/g)?.find(isMeant) : undefined
      if (trait !== undefined) return { path: other, provider: name, trait, isOwn: false }
    }
  }
  return null
}

/** The same as a reason why nothing is planned, with the way out. */
export const putBackReason = ({ path, provider, trait, isOwn }: PutBack): string =>
  `${path} makes nova-compute put ${trait} on ${provider} again at every period. First remove it from ${
    isOwn ? 'provider config with “Tag with traits”' : 'that file and restart nova-compute'
  }`
