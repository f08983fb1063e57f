/** The file of the drop-in folder that changes write: with usual file names it is read last. */
export const DROP_IN_FILE = '99-sliceboard-mdev.conf'
