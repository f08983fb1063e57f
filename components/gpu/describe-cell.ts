import type { CellKind } from '@/lib/domain/pgpu/types'
import type { CellDto } from '@/lib/schemas/api/gpu'
import { guestStateLabel } from './guest-state'

export type CellText = { title: string; lines: string[] }

const KIND_TEXTS: Record<CellKind, CellText> = {
  used: { title: 'In use', lines: ['The guest is not known yet.'] },
  spare: { title: 'Reusable', lines: ['Created, not attached to a guest. Nova reuses it.'] },
  orphan: {
    title: 'Orphaned',
    lines: ['Created, not attached to a guest. nova.conf no longer lists its type, so Nova does not use it.'],
  },
  unknown: { title: 'Unknown', lines: ['The host does not report the use of this vGPU.'] },
  free: { title: 'Free', lines: ['The driver can create a vGPU here.'] },
  locked: { title: 'Blocked', lines: ['Not in use, but the driver cannot create a vGPU here now.'] },
}

/** A cell as text, from its kind alone. */
export const describeKind = (kind: CellKind): CellText => KIND_TEXTS[kind]

/** A cell as text: its server or guest, its type, its mdev. */
export const describeCell = ({ kind, occupant, typeName, mdevUuid }: CellDto): CellText => {
  const own = [typeName, mdevUuid === null ? null : `mdev ${mdevUuid}`].filter((line) => line !== null)
  if (occupant === null) {
    const { title, lines } = KIND_TEXTS[kind]
    return { title, lines: kind === 'used' ? own : [...lines, ...own] }
  }
  const guest = occupant.serverName === null ? null : `guest ${occupant.guestName}`
  const state = guestStateLabel(occupant.guestState)
  const where = [occupant.projectName, occupant.flavorName].filter((part) => part !== null).join(', ')
  return {
    title: occupant.serverName ?? occupant.guestName,
    lines: [
      [typeName, guest, state].filter((part) => part !== null && part !== '').join(', '),
      ...(where === '' ? [] : [where]),
      ...own.slice(typeName === null ? 0 : 1),
    ],
  }
}
