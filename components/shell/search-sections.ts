import type { SearchResults } from '@/lib/schemas/api/search-results'
import { formatNoun } from '@/lib/util/format'
import {
  changePath,
  findingPath,
  flavorPath,
  gpuPath,
  hostPath,
  quotasPath,
  typePath,
} from '@/lib/util/paths'
import type { SearchCommand } from './search-commands'

export type SearchTarget = { key: string; href: string; name: string; note: string; isMono?: boolean }
export type SearchSection = { heading: string; count: string; targets: readonly SearchTarget[] }

/** The server sends at most so many of a kind. */
const MAX_OF_KIND = 20

const section = (heading: string, targets: readonly SearchTarget[]): SearchSection => ({
  heading,
  count: targets.length < MAX_OF_KIND ? String(targets.length) : `${MAX_OF_KIND} or more`,
  targets,
})

const ofGuest = (guest: SearchResults['guests'][number], cloud: string | null): SearchTarget => {
  const { host, uuid, name, serverName, projectName } = guest
  const [address] = guest.pgpuAddresses
  return {
    key: `guest ${host} ${uuid}`,
    href: address === undefined ? hostPath({ cloud, host }) : gpuPath({ cloud, host, address }),
    name: serverName ?? name,
    note: [serverName === null ? null : name, projectName, host].filter((part) => part !== null).join(', '),
  }
}

/** What the server found, by kind; kinds without a match are omitted. */
export const resultSections = (results: SearchResults, cloud: string | null): SearchSection[] =>
  [
    section(
      'Hosts',
      results.hosts.map((host) => ({
        key: `host ${host}`,
        href: hostPath({ cloud, host }),
        name: host,
        note: '',
      })),
    ),
    section(
      'GPUs',
      results.gpus.map(({ host, address, model }) => ({
        key: `gpu ${host} ${address}`,
        href: gpuPath({ cloud, host, address }),
        name: address,
        note: `${host}, ${model}`,
        isMono: true,
      })),
    ),
    section(
      'Servers and guests',
      results.guests.map((guest) => ofGuest(guest, cloud)),
    ),
    section(
      'Findings',
      results.findings.map(({ id, title, sentence }) => ({
        key: `finding ${id}`,
        href: findingPath({ cloud, id }),
        name: title,
        note: sentence,
      })),
    ),
    section(
      'Changes',
      results.changes.map(({ id, title, state }) => ({
        key: `change ${id}`,
        href: changePath({ cloud, id }),
        name: `Change ${id}`,
        note: `${title}, ${state}`,
      })),
    ),
    section(
      'vGPU types',
      results.types.map(({ typeId, name }) => ({
        key: `type ${typeId}`,
        href: typePath({ cloud, type: typeId }),
        name,
        note: typeId,
      })),
    ),
    section(
      'Flavors',
      results.flavors.map(({ id, name }) => ({
        key: `flavor ${id}`,
        href: flavorPath({ cloud, flavor: id }),
        name,
        note: id === name ? '' : id,
      })),
    ),
    section(
      'Projects',
      results.projects.map(({ id, name }) => ({
        key: `project ${id}`,
        href: quotasPath({ cloud, search: { q: name } }),
        name,
        note: 'quotas',
      })),
    ),
  ].filter(({ targets }) => targets.length > 0)

/** The commands by group, in the order in which they are listed. */
export const commandSections = (commands: readonly SearchCommand[], cloud: string | null): SearchSection[] =>
  [...new Set(commands.map(({ group }) => group))].map((group) =>
    section(
      group,
      commands
        .filter((command) => command.group === group)
        .map(({ name, path }) => ({ key: `${group} ${name}`, href: path(cloud), name, note: '' })),
    ),
  )

/** `3 results`. */
export const foundText = (sections: readonly SearchSection[]): string => {
  const count = sections.reduce((sum, { targets }) => sum + targets.length, 0)
  return count === 0 ? 'No results.' : formatNoun(count, 'result')
}
