/** As Nova would have it, with ids of projects. */
type TerraformFlavor = {
  name: string
  description: string | null
  vcpus: number
  memoryMib: number
  diskGib: number
  isPublic: boolean
  extraSpecs: Readonly<Record<string, string>>
  projectIds: readonly string[]
}

type TerraformAggregate = {
  name: string
  hosts: readonly string[]
  properties: Readonly<Record<string, string>>
}

/** A text of HCL: `${` and `%{` begin templates there. */
const quote = (text: string): string => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `"${escaped.replace(/[$%](?=\{)/g, (sign) => sign + sign)}"`
}

/** Letters, digits and underscores, a letter first. */
const labelOf = (text: string): string => {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(label) ? label : `flavor_${label}`
}

type Line = [name: string, value: string]

const block = (head: string, lines: readonly Line[]): string => {
  const width = Math.max(...lines.map(([name]) => name.length))
  return [`${head} {`, ...lines.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`), '}'].join('\n')
}

const map = (entries: Readonly<Record<string, string>>): string =>
  ['{', ...Object.entries(entries).map(([key, value]) => `    ${quote(key)} = ${quote(value)}`), '  }'].join(
    '\n',
  )

const aggregateBlock = ({ name, hosts, properties }: TerraformAggregate): string =>
  block(`resource "openstack_compute_aggregate_v2" ${quote(labelOf(name))}`, [
    ['name', quote(name)],
    ['hosts', `[${hosts.map(quote).join(', ')}]`],
    ...(Object.keys(properties).length === 0 ? [] : [['metadata', map(properties)] as Line]),
  ])

const flavorBlock = (flavor: TerraformFlavor): string => {
  const { name, description, vcpus, memoryMib, diskGib, isPublic, extraSpecs } = flavor
  return block(`resource "openstack_compute_flavor_v2" ${quote(labelOf(name))}`, [
    ['name', quote(name)],
    ...(description === null ? [] : [['description', quote(description)] as Line]),
    ['vcpus', String(vcpus)],
    ['ram', String(memoryMib)],
    ['disk', String(diskGib)],
    ['is_public', String(isPublic)],
    ...(Object.keys(extraSpecs).length === 0 ? [] : [['extra_specs', map(extraSpecs)] as Line]),
  ])
}

const accessBlock = (label: string, projectId: string): string =>
  block(
    `resource "openstack_compute_flavor_access_v2" ${quote(`${label}_${projectId.replace(/[^A-Za-z0-9]+/g, '_')}`)}`,
    [
      ['flavor_id', `openstack_compute_flavor_v2.${label}.id`],
      ['tenant_id', quote(projectId)],
    ],
  )

/**
 * A flavor as resources of the Terraform provider openstack: itself, each project that may use it, and the aggregate if one is
 * made for it. Memory in MiB, disk in GiB, as the provider takes them.
 */
export const renderTerraform = (flavor: TerraformFlavor, aggregate: TerraformAggregate | null): string =>
  [
    ...(aggregate === null ? [] : [aggregateBlock(aggregate)]),
    flavorBlock(flavor),
    ...flavor.projectIds.map((projectId) => accessBlock(labelOf(flavor.name), projectId)),
  ]
    .join('\n\n')
    .concat('\n')
