module unoduo/clients/go

go 1.22
