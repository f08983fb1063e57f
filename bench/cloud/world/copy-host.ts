import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { PROJECTS } from '@/simulator/world/projects'
import { hostNameOf } from '../../ingest/credentials'
import { type BenchProject, benchProject } from './bench-projects'
import type { ScannedHost } from './scan-shapes'

const UUID_START = /\b[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/g
const GOLDEN = 0x9e3779b1

/** One to one for a given host, so that uuids that differ on the original differ on the copy. */
const ownStart = (start: string, host: number): string =>
  ((Number.parseInt(start, 16) ^ Math.imul(host + 1, GOLDEN)) >>> 0).toString(16).padStart(8, '0')

/** The projects that own the servers of a host, in the order of the demo's projects; each host has its own two or three. */
const ownersOf = (host: number, projects: number): BenchProject[] =>
  Object.keys(PROJECTS).map((_, turn) => benchProject((host * 3 + (turn % 3)) % projects))

type Rename = { from: string; to: string; host: number; projects: number }

const renamed = <Value>(value: Value, { from, to, host, projects }: Rename): Value => {
  const owners = ownersOf(host, projects)
  let text = JSON.stringify(value)
    .replaceAll(from, to)
    .replaceAll(UUID_START, (start) => ownStart(start, host))
    .replace(/instance-([0-9a-f]{8})/g, (_, number: string) => {
      const own = (Number.parseInt(number, 16) + (host << 12)) >>> 0
      return `instance-${own.toString(16).padStart(8, '0')}`
    })
    .replace(/"serverName":"([^"]*)"/g, `"serverName":"$1-${host}"`)
  Object.values(PROJECTS).forEach((project, turn) => {
    const owner = owners[turn]
    if (owner === undefined) return
    text = text.replaceAll(project.id, owner.id).replaceAll(`"${project.name}"`, `"${owner.name}"`)
  })
  return JSON.parse(text) as Value
}

/** A host like the original with its own name, servers, mdevs and projects: the same in what it is and in what it reports. */
export const copyHost = (
  { fleet, inventory }: ScannedHost,
  { host, projects }: { host: number; projects: number },
): ScannedHost => {
  const rename = { from: fleet.spec.name, to: hostNameOf(host), host, projects }
  const copy: FleetHost = { ...fleet, spec: renamed(fleet.spec, rename) }
  return { fleet: copy, inventory: renamed<Inventory>(inventory, rename) }
}
