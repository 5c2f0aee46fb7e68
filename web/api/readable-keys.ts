/** Whether the server can still show the key. It cannot after its secret key was lost or changed, and then the key no longer works. */
export const isReadable = ({ key }: { key: string }): boolean => key !== ''
