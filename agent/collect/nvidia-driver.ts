import { fact } from './clean-text'
import type { HostFiles } from './host-files'

/** `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.10  Release Build …`. */
const fromProc = (text: string | null): string | null =>
  fact(/^NVRM version:.*?\s(\d{2,4}(?:\.\d+)+)(?:\s|$)/m.exec(text ?? '')?.[1])

/** Version of NVIDIA's host driver; null when its module is not loaded. */
export const nvidiaDriverOf = (files: HostFiles): string | null =>
  fromProc(files.text('/proc/driver/nvidia/version')) ?? fact(files.attribute('/sys/module/nvidia/version'))
