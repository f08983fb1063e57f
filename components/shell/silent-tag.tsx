'use client'

import { Tag } from '@/components/ui/tag'
import { formatAge } from '@/lib/util/format'
import { useServerNow } from './use-server-now'

/** "silent for 3 h": how old a silent host's numbers are. */
export const SilentTag = ({ seenAt }: { seenAt: string | null }) => {
  const nowMs = useServerNow()
  if (seenAt === null) return <Tag>never reported</Tag>
  const age = nowMs === null ? '' : ` for ${formatAge((nowMs - new Date(seenAt).getTime()) / 1000)}`
  return <Tag>silent{age}</Tag>
}
