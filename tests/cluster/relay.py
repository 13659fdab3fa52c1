#!/usr/bin/env python3
"""relay.py ADDRESS PORT TO_ADDRESS TO_PORT: passes TCP connections on."""
import asyncio
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        to_reader, to_writer = await asyncio.open_connection(sys.argv[3], int(sys.argv[4]))
    except OSError:
        writer.close()
        return
    await asyncio.gather(copy(reader, to_writer), copy(to_reader, writer))


async def main():
    server = await asyncio.start_server(serve, sys.argv[1], int(sys.argv[2]))
    await server.serve_forever()


asyncio.run(main())
