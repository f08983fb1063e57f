import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A host without a GPU whose inventory differs with each `osName`: enough for what is about reports, not about cards. */
export const writeTinyHost = async (root: string, { name, osName }: { name: string; osName: string }) => {
  await mkdir(path.join(root, 'proc/sys/kernel'), { recursive: true })
  await mkdir(path.join(root, 'etc'), { recursive: true })
  await writeFile(path.join(root, 'proc/sys/kernel/hostname'), `${name}\n`)
  await writeFile(path.join(root, 'etc/os-release.new'), `PRETTY_NAME="${osName}"\n`)
  await rename(path.join(root, 'etc/os-release.new'), path.join(root, 'etc/os-release'))
}
