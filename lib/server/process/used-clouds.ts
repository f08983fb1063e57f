import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import type { LoadedClouds } from '@/lib/openstack/clouds/load-clouds'

/**
 * The clouds that the console manages, by name. The first region of an entry of clouds.yaml has the entry's name; each
 * further one is a separate cloud with openstacksdk's full name, `paris:RegionTwo`. OS_CLOUD restricts them to one entry.
 */
export const usedClouds = ({
  clouds,
  selectedName,
}: Pick<LoadedClouds, 'clouds' | 'selectedName'>): CloudConfig[] => {
  const wanted = clouds.filter(({ name }) => selectedName === null || name === selectedName)
  const entries = new Set(wanted.map(({ name }) => name))
  const byName = new Map<string, CloudConfig>()
  for (const cloud of wanted) {
    const isFirst = !byName.has(cloud.name)
    const name = isFirst ? cloud.name : `${cloud.name}:${cloud.region}`
    if (isFirst || !(byName.has(name) || entries.has(name))) byName.set(name, { ...cloud, name })
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
