import { type HclLine, hclBlock, hclLabel, hclMap, hclText } from './hcl'

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

const aggregateBlock = ({ name, hosts, properties }: TerraformAggregate): string =>
  hclBlock(`resource "openstack_compute_aggregate_v2" ${hclText(hclLabel(name))}`, [
    ['name', hclText(name)],
    ['hosts', `[${hosts.map(hclText).join(', ')}]`],
    ...(Object.keys(properties).length === 0 ? [] : [['metadata', hclMap(properties)] as HclLine]),
  ])

const flavorBlock = (flavor: TerraformFlavor): string => {
  const { name, description, vcpus, memoryMib, diskGib, isPublic, extraSpecs } = flavor
  return hclBlock(`resource "openstack_compute_flavor_v2" ${hclText(hclLabel(name))}`, [
    ['name', hclText(name)],
    ...(description === null ? [] : [['description', hclText(description)] as HclLine]),
    ['vcpus', String(vcpus)],
    ['ram', String(memoryMib)],
    ['disk', String(diskGib)],
    ['is_public', String(isPublic)],
    ...(Object.keys(extraSpecs).length === 0 ? [] : [['extra_specs', hclMap(extraSpecs)] as HclLine]),
  ])
}

const accessBlock = (label: string, projectId: string): string =>
  hclBlock(
    `resource "openstack_compute_flavor_access_v2" ${hclText(`${label}_${projectId.replace(/[^A-Za-z0-9]+/g, '_')}`)}`,
    [
      ['flavor_id', `openstack_compute_flavor_v2.${label}.id`],
      ['tenant_id', hclText(projectId)],
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
    ...flavor.projectIds.map((projectId) => accessBlock(hclLabel(flavor.name), projectId)),
  ]
    .join('\n\n')
    .concat('\n')
