import { formatNoun } from '@/lib/util/format'

/** What stands beside the heading. As long as no cloud is read, what Placement says is missing, not empty. */
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
