import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { $ZodType } from 'zod/v4/core'
import * as glance from '@/lib/openstack/glance/create-glance'
import * as keystone from '@/lib/openstack/keystone/create-keystone'
import * as keystoneLimits from '@/lib/openstack/keystone/create-keystone-limits'
import * as keystoneLists from '@/lib/openstack/keystone/keystone-lists'
import * as keystonePages from '@/lib/openstack/keystone/keystone-pages'
import * as keystoneRoles from '@/lib/openstack/keystone/system-roles'
import * as keystoneToken from '@/lib/openstack/keystone/token-body'
import * as keystoneUserRoles from '@/lib/openstack/keystone/user-roles'
import * as neutron from '@/lib/openstack/neutron/create-neutron'
import * as novaFlavors from '@/lib/openstack/nova/flavor-writes'
import * as nova from '@/lib/openstack/nova/nova-schemas'
import * as placement from '@/lib/openstack/placement/placement-schemas'
import * as errors from '@/lib/openstack/transport/read-error-body'
import type { Root } from './string-fields'

const isSchema = (value: unknown): value is $ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** Every schema that a module exports, by its name without `Schema`. */
const schemasOf = (module: object, prefix: string): Root[] =>
  Object.entries(module).flatMap(([name, value]) =>
    isSchema(value) ? [{ name: `${prefix}${name.replace(/Schema$/, '')}`, schema: value }] : [],
  )

const shapeOf = ({ schema }: Root): Record<string, unknown> | undefined =>
  (schema._zod.def as unknown as { shape?: Record<string, unknown> }).shape

/** Whether a schema has all keys of another one, and more. */
const isPartOf = (part: Root, whole: Root): boolean => {
  const keys = Object.entries(shapeOf(part) ?? {})
  return part !== whole && keys.length > 2 && keys.every(([key, value]) => shapeOf(whole)?.[key] === value)
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

const AGENT_FOLDER = 'lib/schemas/agent'

/** Messages of the agent contract; the inventory first, so that its parts are called after it. */
export const agentRoots = async (): Promise<Root[]> => {
  const modules = await Promise.all(
    sourcesOf(AGENT_FOLDER).map((file) => import(path.resolve(AGENT_FOLDER, file)) as Promise<object>),
  )
  const all = modules.flatMap((module) => schemasOf(module, '')).filter((root) => shapeOf(root) !== undefined)
  const whole = all.filter((root) => !all.some((other) => isPartOf(root, other)))
  return whole.toSorted((a, b) => Number(b.name === 'inventory') - Number(a.name === 'inventory'))
}

const OPENSTACK: readonly (readonly [prefix: string, module: object])[] = [
  ['nova.', nova],
  ['nova.', novaFlavors],
  ['placement.', placement],
  ['keystone.', keystone],
  ['keystone.', keystoneLimits],
  ['keystone.', keystoneLists],
  ['keystone.', keystonePages],
  ['keystone.', keystoneRoles],
  ['keystone.', keystoneToken],
  ['keystone.', keystoneUserRoles],
  ['glance.', glance],
  ['neutron.', neutron],
  ['error.', errors],
]

/** Answers of OpenStack's services, and the parts of them that are exported. */
export const openStackRoots = (): Root[] =>
  OPENSTACK.flatMap(([prefix, module]) => schemasOf(module, prefix)).filter(
    (root) => shapeOf(root) !== undefined,
  )

/** Statements with a string that are neither a root nor part of one in the same file. */
const hiddenIn = (text: string, known: ReadonlySet<string>): string[] => {
  const statements = text.split(/^(?=\w)/m)
  const roots = statements.filter((statement) => {
    const name = /^export const (\w+)/.exec(statement)?.[1]
    return name !== undefined && known.has(name)
  })
  return statements.filter((statement) => {
    if (!/\bz\s*\.\s*string\(/.test(statement) || roots.includes(statement)) return false
    const name = /^const (\w+) = /.exec(statement)?.[1]
    return name === undefined || !roots.some((root) => new RegExp(`\\b${name}\\b`).test(root))
  })
}

/** Statements of the clients that describe a string which no root holds; there may be none. */
export const hiddenStrings = (): string[] => {
  const known = new Set(OPENSTACK.flatMap(([, module]) => Object.keys(module)))
  return ['nova', 'placement', 'keystone', 'glance', 'neutron', 'transport'].flatMap((service) => {
    const folder = `lib/openstack/${service}`
    return sourcesOf(folder).flatMap((file) =>
      hiddenIn(readFileSync(path.join(folder, file), 'utf8'), known).map(
        (statement) => `${folder}/${file}: ${statement.split('\n')[0]}`,
      ),
    )
  })
}
