'use client'

import { Tag } from '@/components/ui/tag'
import { formatAge, formatWholeMoment } from '@/lib/util/format'
import { useServerNow } from './use-server-now'
import { useTimeZone } from './use-time-zone'

/** "silent for 3 h": how old a silent host's numbers are. */
export const SilentTag = ({ seenAt }: { seenAt: string | null }) => {
  const nowMs = useServerNow()
  const zone = useTimeZone()
  if (seenAt === null) return <Tag>never reported</Tag>
  const age = nowMs === null ? '' : ` for ${formatAge((nowMs - new Date(seenAt).getTime()) / 1000)}`
  return <Tag title={formatWholeMoment(new Date(seenAt), zone)}>silent{age}</Tag>
}
