import type { Cloud } from '@/simulator/openstack/cloud'
import type { Flavor } from '@/simulator/openstack/nova/nova-state'
import { uuidFrom } from '@/simulator/random/uuid-from'
import { benchProject } from './bench-projects'

/** What operators add to the extra specs of a flavor; a few request what the cloud does not have. */
const VARIANTS: ((own: Record<string, string>) => Record<string, string>)[] = [
  (own) => own,
  (own) => ({ ...own, 'hw:cpu_policy': 'dedicated' }),
  (own) => ({ ...own, 'hw:mem_page_size': 'large' }),
  (own) => ({ ...own, 'aggregate_instance_extra_specs:gpu': 'true' }),
  (own) => ({ ...own, 'quota:disk_total_iops_sec': '5000' }),
  (own) => ({ ...own, 'hw:numa_nodes': '1' }),
  (own) => ({ ...own, 'trait:CUSTOM_FAST_NETWORK': 'required' }),
  (own) => ({ ...own, 'resources:VGPU': '2' }),
  (own) => ({ ...own, 'trait:CUSTOM_GPU_RACK': 'required' }),
  (own) => ({ ...own, 'resources:CUSTOM_LICENSE': '1' }),
  (own) => ({ ...own, 'resources1:VGPU': '1', 'resources2:VGPU': '1' }),
]

/** Without a GPU, as every fifth flavor of the cloud. */
const PLAIN: Record<string, string>[] = [{}, { 'hw:cpu_policy': 'dedicated' }, { 'hw:mem_page_size': '1GB' }]

const variantOf = (base: Flavor, index: number, projects: number): Flavor => {
  const scale = 1 + (index % 3)
  const isPrivate = index % 4 === 3
  const specs =
    index % 5 === 4
      ? PLAIN[index % PLAIN.length]
      : VARIANTS[index % VARIANTS.length]?.({ ...base.extraSpecs })
  return {
    ...base,
    id: uuidFrom(`bench flavor ${index}`),
    name: `${index % 5 === 4 ? 'm2' : base.name}.${String(index).padStart(4, '0')}`,
    vcpus: base.vcpus * scale,
    memoryMib: base.memoryMib * scale,
    extraSpecs: specs ?? {},
    isPublic: !isPrivate,
    projectIds: isPrivate ? [0, 1, 2].map((turn) => benchProject((index * 7 + turn) % projects).id) : [],
  }
}

/** Brings the cloud to `count` flavors: variants of those that its hosts gave it. */
export const addFlavors = (
  { nova, placement }: Cloud,
  { count, projects }: { count: number; projects: number },
): void => {
  placement.customTraits.add('CUSTOM_FAST_NETWORK')
  const bases = nova.flavors.filter(({ extraSpecs }) => Object.keys(extraSpecs).length > 0)
  for (let index = 0; nova.flavors.length < count; index += 1) {
    const base = bases[index % bases.length]
    if (base === undefined) throw new Error('No host of the cloud gave it a flavor.')
    nova.flavors.push(variantOf(base, index, projects))
  }
}
