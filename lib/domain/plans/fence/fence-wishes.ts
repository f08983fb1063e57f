/** CPUs of a host set apart for GPU servers, and memory for the host itself. */
export type CpuWish = {
  way: 'cpus'
  host: string
  /** `[compute] cpu_shared_set`. */
  sharedSet: string
  /** `[compute] cpu_dedicated_set`. */
  dedicatedSet: string
  /** `reserved_host_memory_mb`; null: it stays. */
  reservedMemoryMib: number | null
  /** GPU flavors that are to ask for dedicated CPUs. */
  flavorIds: readonly string[]
  /** Ordinary servers move away until one GPU server finds its room. */
  isMoving: boolean
}

/** A second nova-compute beside the first on one host, which owns the GPUs, some CPUs and some memory. */
export type SecondServiceWish = {
  way: 'second-service'
  host: string
  /** `[DEFAULT] host` of the second one. */
  secondHost: string
  /** CPUs of the first one. */
  sharedSet: string
  /** CPUs of the second one. */
  dedicatedSet: string
  /** That the first one leaves to the second; MiB. */
  memoryMib: number
}
