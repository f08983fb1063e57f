import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { hcl, hclName, hclString } from '@/lib/util/encode/hcl'

type Hcl = Encoded<'hcl'>

/** An argument of a block, its value as HCL has it. */
type HclLine = [name: Hcl, value: Hcl]

const blanks = (count: number): Hcl =>
  joinEncoded(
    Array.from({ length: count + 1 }, () => hcl``),
    ' ',
  )

/** Lines `name = value` as `terraform fmt` aligns them: a value of several lines is not aligned. */
const aligned = (lines: readonly HclLine[]): Hcl[] => {
  const single = lines.filter(([, value]) => !value.includes('\n'))
  const width = Math.max(0, ...single.map(([name]) => name.length))
  return lines.map(([name, value]) =>
    value.includes('\n') ? hcl`${name} = ${value}` : hcl`${name}${blanks(width - name.length)} = ${value}`,
  )
}

/** A block with its arguments, as `terraform fmt` leaves it; those of several lines last. */
const hclBlock = (head: Hcl, lines: readonly HclLine[]): Hcl =>
  joinEncoded([hcl`${head} {`, ...aligned(lines).map((line) => hcl`  ${line}`), hcl`}`], '\n')

/** A map of texts as an argument of a block. */
const hclMap = (entries: Readonly<Record<string, string>>): Hcl => {
  const lines = Object.entries(entries).map(([key, value]): HclLine => [hclString(key), hclString(value)])
  return joinEncoded([hcl`{`, ...aligned(lines).map((line) => hcl`    ${line}`), hcl`  }`], '\n')
}

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

const aggregateBlock = ({ name, hosts, properties }: TerraformAggregate): Encoded<'hcl'> =>
  hclBlock(hcl`resource "openstack_compute_aggregate_v2" ${hclString(hclName(name))}`, [
    [hcl`name`, hclString(name)],
    [hcl`hosts`, hcl`[${joinEncoded(hosts.map(hclString), ', ')}]`],
    ...(Object.keys(properties).length === 0 ? [] : [[hcl`metadata`, hclMap(properties)] as HclLine]),
  ])

const flavorBlock = (flavor: TerraformFlavor): Encoded<'hcl'> => {
  const { name, description, vcpus, memoryMib, diskGib, isPublic, extraSpecs } = flavor
  return hclBlock(hcl`resource "openstack_compute_flavor_v2" ${hclString(hclName(name))}`, [
    [hcl`name`, hclString(name)],
    ...(description === null ? [] : [[hcl`description`, hclString(description)] as HclLine]),
    [hcl`vcpus`, hcl`${vcpus}`],
    [hcl`ram`, hcl`${memoryMib}`],
    [hcl`disk`, hcl`${diskGib}`],
    [hcl`is_public`, isPublic ? hcl`true` : hcl`false`],
    ...(Object.keys(extraSpecs).length === 0 ? [] : [[hcl`extra_specs`, hclMap(extraSpecs)] as HclLine]),
  ])
}

const accessBlock = (label: Encoded<'hcl'>, projectId: string): Encoded<'hcl'> =>
  hclBlock(
    hcl`resource "openstack_compute_flavor_access_v2" ${hclString(`${label}_${projectId.replace(/[^A-Za-z0-9]+/g, '_')}`)}`,
    [
      [hcl`flavor_id`, hcl`openstack_compute_flavor_v2.${label}.id`],
      [hcl`tenant_id`, hclString(projectId)],
    ],
  )

/**
 * A flavor as resources of the Terraform provider openstack: the flavor, each of its projects, and a new aggregate if
 * there is one. Memory in MiB, disk in GiB, as the provider expects them.
 */
export const renderTerraform = (
  flavor: TerraformFlavor,
  aggregate: TerraformAggregate | null,
): Encoded<'hcl'> => {
  const blocks = [
    ...(aggregate === null ? [] : [aggregateBlock(aggregate)]),
    flavorBlock(flavor),
    ...flavor.projectIds.map((projectId) => accessBlock(hclName(flavor.name), projectId)),
  ]
  return hcl`${joinEncoded(blocks, '\n\n')}\n`
}
