import { formatNoun } from '@/lib/util/format'

/** The subheading. Before the first reading of a cloud, Placement's values are missing, not empty. */
export const gpusSub = ({
  pgpus,
  hosts,
  isCloudRead,
}: {
  pgpus: number
  hosts: number
  isCloudRead: boolean
}): string => {
  const sizes = `${formatNoun(pgpus, 'pGPU')} on ${formatNoun(hosts, 'host')}`
  return isCloudRead || pgpus === 0 ? sizes : `${sizes}, no cloud is read`
}
