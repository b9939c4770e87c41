class Reader:
    def open_input(self):
        log("reading")
        check(self.path)
        return self.handle


class Writer:
    def open_output(self):
        log("writing")
        check(self.path)
        return self.handle
