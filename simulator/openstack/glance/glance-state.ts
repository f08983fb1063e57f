export type Image = {
  id: string
  name: string
  status: 'active' | 'queued' | 'deactivated'
  visibility: 'public' | 'private' | 'shared' | 'community'
  ownerId: string
  /** Projects that have accepted a shared image. */
  memberIds: string[]
  sizeBytes: number | null
  minDiskGib: number
  minMemoryMib: number
  createdMs: number
}

export type GlanceState = {
  images: Image[]
  /** `api_limit_max`: images on one page. */
  maxLimit: number
}

/** Whether a project may use an image. Community images are usable by all, but listed only on request. */
export const isImageFor = ({ visibility, ownerId, memberIds }: Image, projectId: string): boolean =>
  visibility === 'public' ||
  visibility === 'community' ||
  ownerId === projectId ||
  (visibility === 'shared' && memberIds.includes(projectId))
